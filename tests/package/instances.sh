# shellcheck shell=bash
# Two more bridges on the same host: surveybridge@mariadb and surveybridge@sqlite.
echo "MariaDB and SQLite"
# bridge_for NAME CONNECTION PORT : a configuration of its own for surveybridge@NAME.
bridge_for() {
  sed -e "s|^connection = .*|connection = \"$2\"|" -e "s|^key   = |brake = false\n&|" -e "s|:9464|:$3|" \
    "$root/etc/surveybridge/surveybridge.toml" |
    inside sh -c "umask 027; cat >/etc/surveybridge/$1.toml; chgrp surveybridge /etc/surveybridge/$1.toml"
}
awaits "MariaDB runs" 60 inside mariadb -e 'SELECT 1'
inside mariadb -e "CREATE DATABASE crm; USE crm; CREATE USER surveybridge@localhost IDENTIFIED VIA unix_socket;
  GRANT ALL ON crm.* TO surveybridge@localhost;
  CREATE TABLE crm.orders (id integer PRIMARY KEY, email varchar(200), delivered_at datetime);
  INSERT INTO crm.orders SELECT seq, concat('maria', seq, '@example.test'), utc_timestamp() - INTERVAL 1 HOUR
    FROM seq_1_to_20"
inside install -d -o surveybridge -g surveybridge -m 700 /var/lib/surveybridge/sqlite
as surveybridge sqlite3 /var/lib/surveybridge/sqlite/crm.db "CREATE TABLE orders (id, email, delivered_at);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
  INSERT INTO orders SELECT i, 'lite' || i || '@example.test',
    strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour') FROM n"
bridge_for mariadb "odbc://Driver=MariaDB Unicode;Server=localhost;Socket=/run/mysqld/mysqld.sock;Database=crm;UID=surveybridge" 9465
bridge_for sqlite "sqlite3:///var/lib/surveybridge/sqlite/crm.db" 9466
for name in mariadb sqlite; do
  expect "$name: check" 0 "ok" inside surveybridge check -c "/etc/surveybridge/$name.toml"
  expect "$name: a bridge of its own" 0 "" inside systemctl enable --now "surveybridge@$name"
done
awaits "mariadb: 20 orders are sent" 60 inside sh -c \
  '[ "$(mariadb -BN crm -e "SELECT count(*) FROM survey_push WHERE state = '"'sent'"'")" = 20 ]'
awaits "mariadb: 20 customers are pulled" 60 inside sh -c \
  '[ "$(mariadb -BN crm -e "SELECT count(*) FROM survey_customer WHERE email LIKE '"'maria%'"'")" = 20 ]'
lite() { as surveybridge sqlite3 /var/lib/surveybridge/sqlite/crm.db "$1"; }
lite_sent() { [[ $(lite "SELECT count(*) FROM survey_push WHERE state = 'sent'") == 30 ]]; }
lite_pulled() { [[ $(lite "SELECT count(*) FROM survey_customer WHERE email LIKE 'lite%'") == 30 ]]; }
awaits "sqlite: 30 orders are sent" 60 lite_sent
awaits "sqlite: 30 customers are pulled" 60 lite_pulled
expect "the timer's verify finds no difference" 0 "" inside systemctl start surveybridge-verify.service
expect "and status shows it" 0 "0 not accounted for" inside sh -c 'surveybridge status; true'
for user in root clerk; do
  for name in mariadb sqlite; do
    expect "$user: status of $name" 0 "sent" as "$user" surveybridge status -c "/etc/surveybridge/$name.toml"
  done
done
