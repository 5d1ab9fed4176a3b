-- The demo's CRM: one table of orders, filled from orders.csv. Run in the folder of the
-- file:  sqlite3 crm.db < crm.sql
-- The survey_ columns are the CRM's own; the bridge writes scores back into them.
CREATE TABLE orders (
  id            INTEGER PRIMARY KEY,
  order_no      TEXT NOT NULL UNIQUE,
  email         TEXT,
  first_name    TEXT,
  last_name     TEXT,
  country       TEXT,
  language      TEXT,
  delivered_at  TIMESTAMP,      -- local time of Europe/Amsterdam
  amount        TEXT,           -- as people typed it; SQLite has no decimals
  remark        TEXT,
  grade         INTEGER,        -- 1 to 5
  state         TEXT NOT NULL,  -- ordered, delivered, cancelled
  survey_status TEXT,
  survey_score  INTEGER
);

CREATE TABLE csv (id, order_no, email, first_name, last_name, country, language,
                  delivered_at, amount, remark, grade, state);
.import --csv --skip 1 orders.csv csv

-- The orders of the file end on 2026-11-20; here they end the day before yesterday. Older orders keep their dates
-- (a clock change, a 29 February).
INSERT INTO orders
SELECT id, order_no, nullif(email, ''), nullif(first_name, ''), nullif(last_name, ''),
       nullif(country, ''), nullif(language, ''),
       CASE WHEN delivered_at >= '2026-11-01'
            THEN datetime(delivered_at,
                          (julianday(date('now')) - julianday('2026-11-22')) || ' days')
            ELSE nullif(delivered_at, '') END,
       nullif(amount, ''), nullif(remark, ''), nullif(grade, ''), state, NULL, NULL
FROM csv;
DROP TABLE csv;
