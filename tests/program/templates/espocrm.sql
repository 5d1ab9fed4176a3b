-- server: MariaDB
-- template: espocrm
-- push: cases
-- found: 3
-- customer: ada@private.test|10:00:00Z|1|Ada|Xanthippe||
-- customer: Bob@private.test|11:00:00Z|2|Bob|Xanthippe||
-- suppressed: 5
-- written: SELECT number, c_survey_status FROM `case` WHERE c_survey_status IS NOT NULL ORDER BY 1
-- first: 1
-- second: 2
-- The columns that the template uses, with the types that EspoCRM makes on MariaDB of its entityDefs.
-- {day} is two days ago, in UTC. Case 1 was opened again and closed once more; case 2 is of a version since 9.2.
CREATE TABLE `case` (id VARCHAR(17) NOT NULL PRIMARY KEY, name VARCHAR(255), deleted TINYINT(1) DEFAULT 0,
  number INT NOT NULL AUTO_INCREMENT UNIQUE, status VARCHAR(255) DEFAULT 'New', contact_id VARCHAR(17), modified_at DATETIME,
  c_survey_status VARCHAR(100));
CREATE TABLE contact (id VARCHAR(17) NOT NULL PRIMARY KEY, deleted TINYINT(1) DEFAULT 0, first_name VARCHAR(100), last_name VARCHAR(100));
CREATE TABLE email_address (id VARCHAR(17) NOT NULL PRIMARY KEY, name VARCHAR(255), deleted TINYINT(1) DEFAULT 0, `lower` VARCHAR(255),
  invalid TINYINT(1) NOT NULL DEFAULT 0, opt_out TINYINT(1) NOT NULL DEFAULT 0);
CREATE TABLE entity_email_address (id BIGINT AUTO_INCREMENT PRIMARY KEY, entity_id VARCHAR(17), email_address_id VARCHAR(17),
  entity_type VARCHAR(100), `primary` TINYINT(1) DEFAULT 0, deleted TINYINT(1) DEFAULT 0);
CREATE TABLE note (id VARCHAR(17) NOT NULL PRIMARY KEY, deleted TINYINT(1) DEFAULT 0, data MEDIUMTEXT, type VARCHAR(255),
  parent_id VARCHAR(17), parent_type VARCHAR(100), created_at DATETIME);
INSERT INTO contact (id, first_name, last_name, deleted) VALUES ('c1', 'Ada', 'Xanthippe', 0), ('c2', 'Bob', 'Xanthippe', 0),
  ('c3', 'Gone', 'Xanthippe', 0), ('c4', 'Removed', 'Xanthippe', 1);
INSERT INTO email_address (id, name, `lower`, invalid, opt_out) VALUES ('e1', 'ada@private.test', 'ada@private.test', 0, 0),
  ('e2', 'Bob@private.test', 'bob@private.test', 0, 0), ('e3', 'gone@private.test', 'gone@private.test', 0, 1),
  ('e4', 'second@private.test', 'second@private.test', 0, 0);
INSERT INTO entity_email_address (entity_id, email_address_id, entity_type, `primary`) VALUES ('c1', 'e1', 'Contact', 1),
  ('c1', 'e4', 'Contact', 0), ('c2', 'e2', 'Contact', 1), ('c3', 'e3', 'Contact', 1), ('c4', 'e4', 'Contact', 1), ('c1', 'e4', 'Lead', 1);
INSERT INTO entity_email_address (entity_id, email_address_id, entity_type, `primary`, deleted) VALUES ('c2', 'e4', 'Contact', 1, 1);
INSERT INTO `case` (id, number, status, contact_id, deleted) VALUES ('k1', 1, 'Closed', 'c1', 0), ('k2', 2, 'Closed', 'c2', 0),
  ('k3', 3, 'Assigned', 'c1', 0), ('k4', 4, 'Closed', 'c1', 1), ('k5', 5, 'Closed', 'c3', 0), ('k6', 6, 'Closed', 'c4', 0),
  ('k7', 7, 'Closed', 'c1', 0);
INSERT INTO note (id, type, parent_type, parent_id, data, created_at) VALUES
  ('n1', 'Status', 'Case', 'k1', '{"field":"status","value":"Closed","style":"success"}', '{day} 08:00:00'),
  ('n2', 'Status', 'Case', 'k1', '{"field":"status","value":"Assigned","style":"primary"}', '{day} 09:00:00'),
  ('n3', 'Status', 'Case', 'k1', '{"field":"status","value":"Closed","style":"success"}', '{day} 10:00:00'),
  ('n4', 'Update', 'Case', 'k2', '{"fields":["status"],"attributes":{"was":{"status":"New"},"became":{"status":"Closed"}}}', '{day} 11:00:00'),
  ('n5', 'Update', 'Case', 'k2', '{"fields":["priority"],"attributes":{"was":{"priority":"Low"},"became":{"priority":"High"}}}', '{day} 12:00:00'),
  ('n6', 'Update', 'Case', 'k3', '{"fields":["status"],"attributes":{"was":{"status":"Closed"},"became":{"status":"Assigned"}}}', '{day} 10:00:00'),
  ('n10', 'Status', 'Case', 'k3', '{"field":"status","value":"Closed","style":"success"}', '{day} 08:00:00'),
  ('n11', 'Status', 'Account', 'k7', '{"field":"status","value":"Closed"}', '{day} 08:00:00'),
  ('n7', 'Status', 'Case', 'k4', '{"field":"status","value":"Closed","style":"success"}', '{day} 10:00:00'),
  ('n8', 'Status', 'Case', 'k5', '{"field":"status","value":"Closed","style":"success"}', '{day} 10:00:00'),
  ('n9', 'Status', 'Case', 'k6', '{"field":"status","value":"Closed","style":"success"}', '{day} 10:00:00');
