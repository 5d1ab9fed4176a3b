-- The tables of the demo's CRM, for every database: PostgreSQL gets timestamp for datetime (databases.sh).
-- The survey_ columns and the table calls are the CRM's own; the bridge writes back into them.
CREATE TABLE orders (
  id            INTEGER PRIMARY KEY,
  order_no      VARCHAR(40) NOT NULL UNIQUE,
  email         TEXT,
  first_name    TEXT,
  last_name     TEXT,
  country       TEXT,
  branch        TEXT,
  language      TEXT,
  delivered_at  DATETIME,              -- local time of Europe/Amsterdam
  amount        TEXT,                  -- as people typed it
  remark        TEXT,
  grade         TEXT,                  -- 1 to 5, as people typed it
  state         VARCHAR(20) NOT NULL,  -- ordered, under way, delivered, cancelled
  survey_status TEXT,
  survey_score  INTEGER
);
-- Customers that somebody should call.
CREATE TABLE calls (order_no VARCHAR(40) PRIMARY KEY, score INTEGER, said TEXT, done INTEGER NOT NULL DEFAULT 0);
