# shellcheck shell=bash
# The role may read the CRM's table and create tables, nothing more.
echo "PostgreSQL"
make_crm
sql "CREATE TABLE orders (id integer PRIMARY KEY, email text, delivered_at timestamptz)"
sql "GRANT SELECT ON orders TO surveybridge"
# orders FROM TO
orders() {
  sql "INSERT INTO orders SELECT n, 'person' || n || '@example.test', now() - interval '1 hour'
       FROM generate_series($1, $2) n"
}
orders 1 40
stand_in --speed 500000000

count_sent() { sql "SELECT count(*) FROM survey_push WHERE state = 'sent'"; }
sent() { [[ $(count_sent) == "$1" ]]; }

expect "the configuration that is installed names its blanks" 78 "base_url" \
  inside surveybridge check --offline
equal "three of them" 3 "$(inside surveybridge check --offline 2>&1 | grep -c "$config:")"
expect "and does not start" 1 "" inside systemctl start surveybridge
awaits "it is not tried again" 30 inside systemctl is-failed surveybridge
equal "not even once" 0 "$(inside systemctl show -p NRestarts --value surveybridge)"
expect "the journal has the problems as errors" 0 "base_url" \
  inside journalctl --no-pager -p err -u surveybridge

edit -e 's|^base_url = ""|base_url = "http://127.0.0.1:8085"|' \
  -e 's|^connection = ""|connection = "postgresql://host=/run/postgresql dbname=crm"|' \
  -e 's|^query = ""|every = "1s"\nquery = "SELECT id, email, delivered_at FROM orders"|' \
  -e 's|^from = .*|&\nevery = "1s"\n\n[status]\nlisten = "127.0.0.1:9464"|'
expect "the blanks are filled, and the credential is missing" 78 "token" \
  inside surveybridge check --offline
credential token play
expect "init by root tries each answer with the rights of the service" 0 "first.toml" \
  inside surveybridge init --yes -c /etc/surveybridge/first.toml --base-url http://127.0.0.1:8085 \
  --token credential:token --connection "postgresql://host=/run/postgresql dbname=crm" --query orders
expect "the service may read what init wrote" 0 "ok" \
  inside surveybridge check -c /etc/surveybridge/first.toml
inside rm /etc/surveybridge/first.toml
expect "check --offline is content" 0 "ok" inside surveybridge check --offline
expect "check asks database and service" 0 "ok" inside surveybridge check
expect "systemctl enable --now starts it" 0 "" inside systemctl enable --now surveybridge
awaits "the brake holds" 30 inside sh -c 'surveybridge status | grep -q brake'
