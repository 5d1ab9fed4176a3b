-- The demo's CRM as a SQLite file, its orders made from orders.csv. Run in the folder of the file:
--   sqlite3 crm.db < crm.sql
.read tables.sql
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
