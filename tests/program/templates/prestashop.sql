-- server: MariaDB
-- template: prestashop
-- zone: Asia/Tokyo
-- push: orders
-- found: 3
-- customer: ada@private.test|10:00:00Z|1|Ada|Xanthippe|nl|49.95
-- customer: guest@private.test|11:00:00Z|2|Guest|Xanthippe|fr|10.00
-- suppressed: 6
-- written: SELECT id_order, survey_status FROM ps_order_survey ORDER BY 1
-- first: 1
-- second: 2
-- The columns that the template uses, with the types of install-dev/data/db_structure.sql.
-- {day} is two days ago; clocks are those of Tokyo, nine hours before UTC.
CREATE TABLE ps_orders (id_order INT(10) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, reference VARCHAR(9),
  id_shop INT(11) UNSIGNED NOT NULL DEFAULT 1, id_lang INT(10) UNSIGNED NOT NULL, id_customer INT(10) UNSIGNED NOT NULL,
  current_state INT(10) UNSIGNED NOT NULL, total_paid DECIMAL(20,6) NOT NULL DEFAULT 0, valid INT(1) UNSIGNED NOT NULL DEFAULT 0);
CREATE TABLE ps_order_history (id_order_history INT(10) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_order INT(10) UNSIGNED NOT NULL, id_order_state INT(10) UNSIGNED NOT NULL, date_add DATETIME NOT NULL);
CREATE TABLE ps_configuration (id_configuration INT(10) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_shop INT(11) UNSIGNED DEFAULT NULL, name VARCHAR(254) NOT NULL, value TEXT);
CREATE TABLE ps_customer (id_customer INT(10) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, firstname VARCHAR(255) NOT NULL,
  lastname VARCHAR(255) NOT NULL, email VARCHAR(128) NOT NULL, newsletter TINYINT(1) UNSIGNED NOT NULL DEFAULT 0,
  active TINYINT(1) UNSIGNED NOT NULL DEFAULT 0, is_guest TINYINT(1) NOT NULL DEFAULT 0, deleted TINYINT(1) NOT NULL DEFAULT 0);
CREATE TABLE ps_lang (id_lang INT(11) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, iso_code CHAR(2) NOT NULL,
  language_code CHAR(5) NOT NULL);
CREATE TABLE ps_order_survey (id_order INT UNSIGNED PRIMARY KEY, survey_status VARCHAR(64));
INSERT INTO ps_configuration (name, value) VALUES ('PS_OS_SHIPPING', '4'), ('PS_OS_DELIVERED', '5');
INSERT INTO ps_lang VALUES (1, 'nl', 'nl-nl'), (2, 'fr', 'fr-fr');
INSERT INTO ps_customer (id_customer, firstname, lastname, email, active, is_guest, deleted) VALUES
  (1, 'Ada', 'Xanthippe', 'ada@private.test', 1, 0, 0), (2, 'Guest', 'Xanthippe', 'guest@private.test', 1, 1, 0),
  (3, 'Gone', 'Xanthippe', 'gone@private.test', 1, 0, 1), (4, 'Anonymous', 'Anonymous', 'anonymous@psgdpr.com', 1, 0, 0);
INSERT INTO ps_orders (id_order, reference, id_shop, id_lang, id_customer, current_state, total_paid, valid) VALUES
  (1, 'AAAAAAAAA', 1, 1, 1, 12, 49.95, 1), (2, 'BBBBBBBBB', 1, 2, 2, 5, 10, 1), (3, 'CCCCCCCCC', 1, 1, 1, 4, 1, 1),
  (4, 'DDDDDDDDD', 1, 1, 1, 7, 1, 0), (5, 'EEEEEEEEE', 2, 1, 1, 5, 1, 1), (6, 'FFFFFFFFF', 1, 1, 3, 5, 1, 1),
  (7, 'GGGGGGGGG', 1, 1, 4, 5, 1, 1);
INSERT INTO ps_order_history (id_order, id_order_state, date_add) VALUES (1, 4, '{day} 17:00:00'), (1, 5, '{day} 19:00:00'),
  (1, 12, '{day} 22:00:00'), (1, 5, '{day} 23:00:00'), (2, 5, '{day} 20:00:00'), (3, 4, '{day} 19:00:00'), (4, 5, '{day} 19:00:00'),
  (4, 7, '{day} 21:00:00'), (5, 5, '{day} 19:00:00'), (6, 5, '{day} 19:00:00'),
  (7, 5, '{day} 19:00:00');
