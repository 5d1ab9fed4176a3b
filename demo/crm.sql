-- The demo's CRM: one table of orders, made from orders.csv. Run in the folder of the
-- file:  sqlite3 crm.db < crm.sql
-- The survey_ columns and the table calls are the CRM's own; the bridge writes back into them.
CREATE TABLE orders (
  id            INTEGER PRIMARY KEY,
  order_no      TEXT NOT NULL UNIQUE,
  email         TEXT,
  first_name    TEXT,
  last_name     TEXT,
  country       TEXT,
  branch        TEXT,
  language      TEXT,
  delivered_at  TIMESTAMP,      -- local time of Europe/Amsterdam
  amount        TEXT,           -- as people typed it; SQLite has no decimals
  remark        TEXT,
  grade         INTEGER,        -- 1 to 5
  state         TEXT NOT NULL,  -- ordered, delivered, cancelled
  survey_status TEXT,
  survey_score  INTEGER
);
-- Customers that somebody should call.
CREATE TABLE calls (order_no TEXT PRIMARY KEY, score INTEGER, said TEXT, done INTEGER NOT NULL DEFAULT 0);

CREATE TABLE csv (id INTEGER, order_no, email, first_name, last_name, country, language,
                  delivered_at, amount, remark, grade, state);
.import --csv --skip 1 orders.csv csv

-- Of each order of the file but the difficult ones (from 20001 on) there are three, each of other people. Together they are
-- delivered from the first day of the month thirteen months ago to the day before yesterday, in the order of the file and at
-- its time of day. The difficult ones keep dates of before November 2026 (a clock change, a 29 February).
INSERT INTO orders
WITH past AS (SELECT date('now', 'start of month', '-13 months') AS first, date('now', '-2 days') AS last)
SELECT 3 * id + copy, order_no || CASE copy WHEN 0 THEN '' ELSE '-' || copy END,
       CASE copy WHEN 0 THEN nullif(email, '') ELSE replace(email, '@', copy || '@') END,
       nullif(first_name, ''), nullif(last_name, ''), nullif(country, ''),
       CASE country WHEN 'NL' THEN CASE id % 2 WHEN 0 THEN 'Amsterdam' ELSE 'Utrecht' END
                    WHEN 'BE' THEN CASE language WHEN 'nl' THEN 'Gent' ELSE 'Liège' END
                    WHEN 'DE' THEN 'Köln' WHEN 'FR' THEN 'Lille' WHEN 'GB' THEN 'London' END,
       nullif(language, ''),
       CASE WHEN id < 20001
            THEN date(first, ((3 * (id - 10001) + copy) * (julianday(last) - julianday(first)) / 1800) || ' days')
                 || substr(delivered_at, 11)
            WHEN delivered_at >= '2026-11-01'
            THEN datetime(delivered_at, (julianday(last) - julianday('2026-11-20')) || ' days')
            ELSE nullif(delivered_at, '') END,
       nullif(amount, ''), nullif(remark, ''), nullif(grade, ''), state, NULL, NULL
FROM csv JOIN (SELECT value AS copy FROM json_each('[0, 1, 2]')) JOIN past
WHERE copy = 0 OR id < 20001;
DROP TABLE csv;
