-- server: MariaDB
-- template: dolibarr
-- zone: Asia/Tokyo
-- push: orders
-- found: 3
-- customer: ada@private.test|10:00:00Z|1|Ada|Xanthippe|nl_NL|121.50
-- customer: office@private.test|11:00:00Z|2||Xanthippe & Co|fr_FR|10.00
-- suppressed: 5
-- written: SELECT fk_object, survey_status FROM llx_commande_extrafields ORDER BY 1
-- first: 1
-- second: 2
-- The columns that the template uses, with the types of htdocs/install/mysql/tables/llx_*.sql.
-- {day} is two days ago; clocks are those of Tokyo, nine hours before UTC.
CREATE TABLE llx_societe (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, nom VARCHAR(128), entity INTEGER DEFAULT 1 NOT NULL,
  email VARCHAR(128), default_lang VARCHAR(6), status TINYINT DEFAULT 1);
CREATE TABLE llx_socpeople (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, fk_soc INTEGER, lastname VARCHAR(50), firstname VARCHAR(50),
  email VARCHAR(255), default_lang VARCHAR(6), statut TINYINT DEFAULT 1 NOT NULL);
CREATE TABLE llx_c_type_contact (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, element VARCHAR(30) NOT NULL,
  source VARCHAR(8) DEFAULT 'external' NOT NULL, code VARCHAR(32) NOT NULL, libelle VARCHAR(64) NOT NULL);
CREATE TABLE llx_element_contact (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, element_id INT NOT NULL, fk_c_type_contact INT NOT NULL,
  fk_socpeople INTEGER NOT NULL);
CREATE TABLE llx_commande (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, ref VARCHAR(30) NOT NULL, entity INTEGER DEFAULT 1 NOT NULL,
  fk_soc INTEGER NOT NULL, tms TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, date_cloture DATETIME,
  fk_statut SMALLINT DEFAULT 0, total_ttc DOUBLE(24,8) DEFAULT 0);
CREATE TABLE llx_commande_extrafields (rowid INTEGER AUTO_INCREMENT PRIMARY KEY,
  tms TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, fk_object INTEGER NOT NULL, import_key VARCHAR(14),
  survey_status VARCHAR(255));
CREATE TABLE llx_mailing_unsubscribe (rowid INTEGER AUTO_INCREMENT PRIMARY KEY, entity INTEGER DEFAULT 1 NOT NULL,
  email VARCHAR(255), unsubscribegroup VARCHAR(128) DEFAULT '');
INSERT INTO llx_societe (rowid, nom, email, default_lang) VALUES (1, 'Xanthippe & Co', 'office@private.test', 'fr_FR'),
  (2, 'Gone Ltd', 'gone@private.test', NULL);
INSERT INTO llx_societe (rowid, nom, email, status) VALUES (3, 'Closed Ltd', 'closed@private.test', 0);
INSERT INTO llx_socpeople (rowid, fk_soc, lastname, firstname, email, default_lang, statut) VALUES
  (1, 1, 'Xanthippe', 'Bill', 'bill@private.test', NULL, 1), (2, 1, 'Xanthippe', 'Left', 'left@private.test', NULL, 0),
  (3, 1, 'Xanthippe', 'Ada', 'ada@private.test', 'nl_NL', 1);
INSERT INTO llx_c_type_contact (rowid, element, code, libelle) VALUES (100, 'commande', 'BILLING', 'b'), (101, 'commande', 'CUSTOMER', 'c');
INSERT INTO llx_commande (rowid, ref, entity, fk_soc, date_cloture, fk_statut, total_ttc) VALUES
  (1, 'CO-1', 1, 1, '{day} 19:00:00', 3, 121.5), (2, 'CO-2', 1, 1, '{day} 20:00:00', 3, 10), (3, 'CO-3', 1, 1, '{day} 21:00:00', 2, 1),
  (4, 'CO-1', 2, 1, '{day} 19:00:00', 3, 1), (5, 'CO-5', 1, 2, '{day} 19:00:00', 3, 1), (6, '(PROV6)', 1, 1, NULL, 0, 1),
  (7, 'CO-7', 1, 1, '{day} 19:00:00', -1, 1), (8, 'CO-8', 1, 3, '{day} 19:00:00', 3, 1);
INSERT INTO llx_element_contact (element_id, fk_c_type_contact, fk_socpeople) VALUES (1, 100, 1), (1, 101, 3), (2, 101, 2);
INSERT INTO llx_commande_extrafields (fk_object, import_key, survey_status) VALUES (2, 'kept', NULL);
INSERT INTO llx_mailing_unsubscribe (email) VALUES ('GONE@private.test');
