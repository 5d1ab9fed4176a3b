-- server: PostgreSQL
-- template: zammad
-- push: tickets
-- found: 3
-- customer: ada@private.test|10:00:00Z|70001|Ada|Xanthippe|nl|
-- customer: bob@private.test|11:00:00.25Z|70002|Bob|Xanthippe||
-- suppressed: 70006
-- written: SELECT number, survey_status FROM tickets WHERE survey_status IS NOT NULL ORDER BY 1
-- first: 70001
-- second: 70002
-- The columns that the template uses, with the types of db/migrate on PostgreSQL. {day} is two days ago, in UTC.
-- Ticket 1 was opened again and closed once more; ticket 4 was merged into another; ticket 5 came by telephone.
CREATE TABLE users (id BIGSERIAL PRIMARY KEY, login VARCHAR(255) NOT NULL, firstname VARCHAR(100) DEFAULT '', lastname VARCHAR(100) DEFAULT '',
  email VARCHAR(255) DEFAULT '', active BOOLEAN NOT NULL DEFAULT true, preferences TEXT);
CREATE TABLE ticket_state_types (id BIGSERIAL PRIMARY KEY, name VARCHAR(250) NOT NULL UNIQUE);
CREATE TABLE ticket_states (id BIGSERIAL PRIMARY KEY, state_type_id BIGINT NOT NULL, name VARCHAR(250) NOT NULL UNIQUE);
CREATE TABLE tickets (id BIGSERIAL PRIMARY KEY, state_id BIGINT NOT NULL, number VARCHAR(60) NOT NULL UNIQUE, title VARCHAR(250) NOT NULL,
  customer_id INTEGER NOT NULL, close_at TIMESTAMP(3), last_close_at TIMESTAMP(3), updated_at TIMESTAMP(3), survey_status VARCHAR(255));
INSERT INTO ticket_state_types VALUES (1, 'open'), (5, 'closed'), (6, 'merged');
INSERT INTO ticket_states VALUES (2, 1, 'open'), (4, 5, 'closed'), (5, 6, 'merged'), (8, 5, 'solved');
INSERT INTO users (id, login, firstname, lastname, email, active, preferences) VALUES
  (3, 'ada', 'Ada', 'Xanthippe', 'ada@private.test', true, E'--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\nlocale: nl-nl\n'),
  (4, 'bob', 'Bob', 'Xanthippe', 'bob@private.test', true, NULL),
  (5, 'gone', 'Gone', 'Xanthippe', 'gone@private.test', true, E'--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\nmail_delivery_failed: true\n'),
  (6, 'phone', 'Phone', 'Xanthippe', '', true, NULL), (7, 'off', 'Off', 'Xanthippe', 'off@private.test', false, NULL);
INSERT INTO tickets (id, state_id, number, title, customer_id, close_at, last_close_at) VALUES
  (1, 4, '70001', 't', 3, '{day} 08:00:00', '{day} 10:00:00'), (2, 8, '70002', 't', 4, '{day} 11:00:00.25', NULL),
  (3, 2, '70003', 't', 3, '{day} 08:00:00', '{day} 08:00:00'), (4, 5, '70004', 't', 3, '{day} 10:00:00', '{day} 10:00:00'),
  (5, 4, '70005', 't', 6, '{day} 10:00:00', '{day} 10:00:00'), (6, 4, '70006', 't', 5, '{day} 10:00:00', '{day} 10:00:00'),
  (7, 4, '70007', 't', 7, '{day} 10:00:00', '{day} 10:00:00');
