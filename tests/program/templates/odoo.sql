-- server: PostgreSQL
-- template: odoo
-- push: orders
-- found: 3
-- customer: ada@private.test|10:00:00Z|1||Ada Xanthippe|nl_NL|49.95
-- customer: office@private.test|11:00:00Z|2||Xanthippe & Co||10
-- suppressed: 5
-- written: SELECT id, x_survey_status FROM sale_order WHERE x_survey_status IS NOT NULL ORDER BY 1
-- first: 1
-- second: 2
-- The columns that the template uses, with the types that PostgreSQL has for the fields of the models.
-- {day} is two days ago, in UTC.
CREATE TABLE res_partner (id SERIAL PRIMARY KEY, name VARCHAR, email VARCHAR, lang VARCHAR, active BOOLEAN);
CREATE TABLE sale_order (id SERIAL PRIMARY KEY, name VARCHAR NOT NULL, state VARCHAR, company_id INTEGER NOT NULL,
  partner_id INTEGER NOT NULL, amount_total NUMERIC, date_order TIMESTAMP, write_date TIMESTAMP, effective_date TIMESTAMP,
  x_survey_status VARCHAR);
CREATE TABLE mail_blacklist (id SERIAL PRIMARY KEY, email VARCHAR NOT NULL UNIQUE, active BOOLEAN);
INSERT INTO res_partner VALUES (1, 'Ada Xanthippe', 'ada@private.test', 'nl_NL', true), (2, 'Xanthippe & Co', 'office@private.test', NULL, true),
  (3, 'Gone Xanthippe', 'Gone@private.test', 'fr_FR', true), (4, 'Old Xanthippe', 'old@private.test', 'fr_FR', false);
INSERT INTO sale_order (id, name, state, company_id, partner_id, amount_total, effective_date) VALUES
  (1, 'S00001', 'sale', 1, 1, 49.95, '{day} 10:00:00'), (2, 'S00002', 'done', 1, 2, 10, '{day} 11:00:00'),
  (3, 'S00003', 'sale', 1, 1, 1, NULL), (4, 'S00001', 'sale', 2, 1, 1, '{day} 10:00:00'), (5, 'S00005', 'sale', 1, 3, 1, '{day} 10:00:00'),
  (6, 'S00006', 'cancel', 1, 1, 1, '{day} 10:00:00'), (7, 'S00007', 'sale', 1, 4, 1, '{day} 10:00:00');
INSERT INTO mail_blacklist (email, active) VALUES ('gone@private.test', true), ('ada@private.test', false);
