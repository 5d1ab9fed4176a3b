-- Prints the orders of crm.sql as statements that each database takes, a hundred orders at a time. Clients drop the CR of a line
-- end, so it is dropped here.
.read crm.sql
SELECT 'INSERT INTO orders (id, order_no, email, first_name, last_name, country, branch, language, delivered_at, amount,'
       || ' remark, grade, state) VALUES '
       || group_concat('(' || id || ', ' || quote(order_no) || ', ' || quote(email) || ', ' || quote(replace(first_name, char(13), '')) || ', '
                       || quote(last_name) || ', ' || quote(country) || ', ' || quote(branch) || ', ' || quote(language) || ', '
                       || quote(delivered_at) || ', ' || quote(amount) || ', ' || quote(remark) || ', ' || quote(grade) || ', '
                       || quote(state) || ')', ', ')
       || ';'
FROM orders GROUP BY id / 100;
