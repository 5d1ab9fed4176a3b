-- server: MariaDB
-- template: woocommerce:shop_
-- push: orders
-- found: 4
-- customer: guest@private.test|10:00:00Z|1|Guest|Xanthippe|fr|49.95
-- customer: ada@private.test|11:00:00Z|2|Ada|Xanthippe|nl|10.00
-- suppressed: [58]
-- written: SELECT order_id, meta_value FROM shop_wc_orders_meta WHERE meta_key = 'survey_status' ORDER BY 1
-- first: 1
-- second: 2
-- The columns that the template uses, with the types of OrdersTableDataStore::get_database_schema. Two sites.
-- {day} is two days ago, in UTC. The order of a guest has no customer; the times of posts are not read.
CREATE TABLE shop_options (option_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, option_name VARCHAR(191) NOT NULL UNIQUE,
  option_value LONGTEXT NOT NULL);
CREATE TABLE shop_wc_orders (id BIGINT(20) UNSIGNED PRIMARY KEY, status VARCHAR(20), type VARCHAR(20), total_amount DECIMAL(26,8),
  customer_id BIGINT(20) UNSIGNED, billing_email VARCHAR(320), date_created_gmt DATETIME, date_updated_gmt DATETIME);
CREATE TABLE shop_wc_order_addresses (id BIGINT(20) UNSIGNED AUTO_INCREMENT PRIMARY KEY, order_id BIGINT(20) UNSIGNED NOT NULL,
  address_type VARCHAR(20), first_name TEXT, last_name TEXT, country TEXT, UNIQUE KEY (address_type, order_id));
CREATE TABLE shop_wc_order_operational_data (id BIGINT(20) UNSIGNED AUTO_INCREMENT PRIMARY KEY, order_id BIGINT(20) UNSIGNED UNIQUE,
  date_paid_gmt DATETIME, date_completed_gmt DATETIME);
CREATE TABLE shop_wc_orders_meta (id BIGINT(20) UNSIGNED AUTO_INCREMENT PRIMARY KEY, order_id BIGINT(20) UNSIGNED,
  meta_key VARCHAR(255), meta_value TEXT);
CREATE TABLE shop_mailpoet_subscribers (id INT(11) UNSIGNED AUTO_INCREMENT PRIMARY KEY, email VARCHAR(150) NOT NULL,
  status VARCHAR(12) NOT NULL);
CREATE TABLE shop_2_options LIKE shop_options;
CREATE TABLE shop_2_wc_orders LIKE shop_wc_orders;
CREATE TABLE shop_2_wc_order_addresses LIKE shop_wc_order_addresses;
CREATE TABLE shop_2_wc_order_operational_data LIKE shop_wc_order_operational_data;
CREATE TABLE shop_2_wc_orders_meta LIKE shop_wc_orders_meta;
INSERT INTO shop_options (option_name, option_value) VALUES ('woocommerce_custom_orders_table_enabled', 'yes');
INSERT INTO shop_wc_orders (id, status, type, total_amount, customer_id, billing_email) VALUES
  (1, 'wc-completed', 'shop_order', 49.95, 0, 'guest@private.test'), (2, 'wc-completed', 'shop_order', 10, 7, 'ada@private.test'),
  (3, 'wc-processing', 'shop_order', 1, 7, 'ada@private.test'), (4, 'wc-completed', 'shop_order_refund', -1, 0, NULL),
  (5, 'wc-completed', 'shop_order', 1, 8, 'gone@private.test'), (6, 'trash', 'shop_order', 1, 7, 'ada@private.test'),
  (7, 'wc-completed', 'shop_order', 1, 7, 'ada@private.test'), (8, 'wc-completed', 'shop_order', 1, 0, 'bounced@private.test'),
  (9, 'wc-completed', 'shop_order', 1, 0, 'deleted@site.invalid'), (10, 'wc-completed', 'shop_order', 1, 7, 'ada@private.test');
INSERT INTO shop_wc_order_addresses (order_id, address_type, first_name, last_name, country) VALUES
  (1, 'billing', 'Guest', 'Xanthippe', 'FR'), (1, 'shipping', 'Other', 'Xanthippe', 'FR'), (2, 'billing', 'Ada', 'Xanthippe', 'NL'),
  (5, 'billing', 'Gone', 'Xanthippe', 'NL'), (8, 'billing', 'Bounced', 'Xanthippe', 'NL'), (9, 'billing', 'Erased', 'Xanthippe', 'NL'),
  (10, 'billing', 'Ada', 'Xanthippe', 'NL');
INSERT INTO shop_wc_order_operational_data (order_id, date_completed_gmt) VALUES (1, '{day} 10:00:00'), (2, '{day} 11:00:00'),
  (3, NULL), (4, '{day} 10:00:00'), (5, '{day} 10:00:00'), (6, '{day} 10:00:00'), (7, NULL), (8, '{day} 10:00:00'),
  (9, '{day} 10:00:00'), (10, '{day} 10:00:00');
INSERT INTO shop_wc_orders_meta (order_id, meta_key, meta_value) VALUES (1, 'wpml_language', 'fr'), (1, '_other', 'kept'), (2, 'wpml_language', 'nl'),
  (10, '_wcpay_mode', 'test');
INSERT INTO shop_mailpoet_subscribers (email, status) VALUES ('gone@private.test', 'unsubscribed'), ('ada@private.test', 'subscribed'),
  ('guest@private.test', 'unconfirmed'), ('bounced@private.test', 'bounced');
INSERT INTO shop_2_wc_orders (id, status, type, billing_email) VALUES (1, 'wc-completed', 'shop_order', 'other@private.test');
INSERT INTO shop_2_wc_order_operational_data (order_id, date_completed_gmt) VALUES (1, '{day} 10:00:00');
