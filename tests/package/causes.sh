# shellcheck shell=bash
# Sourced by alerts: a shop for each cause, how the cause is brought about and how it is mended.
# Keys begin with K7, people have the name Bakker and addresses at people.test: none may be told.

# cause NAME SENTENCE COMMAND [ALL_CLEARS] : as docs/RUNBOOK.md has them (inbox.py).
causes=()
cause() { causes+=("$1"$'\t'"$2"$'\t'"$3"$'\t'"${4:-1}"); }
cause "brake" 'orders: the brake holds: ' 'surveybridge release orders'
cause "too few come" 'few: too few come: \d+ transactions in the last 24 hours instead of 10' 'surveybridge check'
cause "too few come, of a list" 'ratings\.\w+: too few come: 0 new records in the last' 'surveybridge check'
cause "held" 'held: 1 transaction held, which may be at the service or not$' 'surveybridge doubt list'
cause "in doubt, of no push" 'renamed: 1 transaction in doubt; no push of this name is configured' \
  'surveybridge doubt list'
cause "quarantined" 'odd: 1 transaction set aside in quarantine$' 'surveybridge quarantine list --groups'
cause "too old" 'late: 1 transaction appeared when it was older than look_back' ''
cause "MORE THAN ONCE" 'twice: the last verify found 0 transactions not accounted for and 1 difference' \
  'surveybridge verify'
cause "never listed" '(?:lost: the service does not list 1 transaction|listed\.lost: 1 transaction was accepted)' \
  'surveybridge verify'
cause "differences" 'books: the last verify found 0 transactions not accounted for and 1 difference' \
  'surveybridge verify'
cause "cannot be read as addresses" '\[suppress\.lists\.vip\] query: 1 value cannot be read' 'surveybridge check'
cause "unreadable" 'ratings: 1 record cannot be read' ''
cause "a filter ignored" '(?:pull\.)?customers\.optouts\S*: the service ignores ' 'surveybridge check'
cause "not written" 'customers: \d+ records not written into answers\.state: ' \
  'surveybridge write-back customers'
cause "forbidden" 'pull\.bouncers\.\w+: forbidden: ' 'surveybridge check'
cause "a wrong query" 'push\.parcels: database: ' 'surveybridge check'
cause "a receiver refuses" 'alert: refused could not be told: ' 'surveybridge check'
cause "database away" 'database: it does not answer crm: nothing is sent or read' 'surveybridge check'
cause "verify that fails" 'surveybridge-verify\.service has failed: exit-code 69' 'surveybridge verify' 0
cause "daemon given up" 'surveybridge\.service has failed: ' \
  'journalctl -p warning -u surveybridge\.service'
cause "secret ended" '(\S+): (?:data columns: )?not authorized: ' 'surveybridge check'
cause "last" 'parcels: 1 transaction set aside in quarantine$' 'surveybridge quarantine list --groups' 0

first=("brake" "a filter ignored" "differences" "MORE THAN ONCE" "too few come"
  "too few come, of a list" "cannot be read as addresses" "not written")
second=("held" "in doubt, of no push" "quarantined" "too old" "never listed" "unreadable" "forbidden"
  "a wrong query" "a receiver refuses")

shops=(orders few held renamed odd late lost books twice)
columns=() # with the keys of those that are compared with the service's list
for number in "${!shops[@]}"; do columns+=(--column "$((number + 11)):Key${shops[number]}"); done

sql_is() { [[ $(sql "$1") == t ]]; }
# sale SHOP NUMBER [EMAIL [AGE]] : its key is K7, two digits of the shop and one of the sale.
sale() {
  sql "INSERT INTO sales SELECT 'K7' || (SELECT lpad(n::text, 2, '0') FROM shop WHERE name = '$1') || '$2',
    '$1', '${3:-bakker$2@people.test}', 'Bakker', now() - interval '${4:-1 hour}'"
}
is_in() { sql_is "SELECT count(*) = $3 FROM survey_push WHERE push = '$1' AND state = '$2'"; }
# fault FAULT BODY : the stand-in spoils its next answer so.
fault() {
  local body=${2//$'\n'/}
  stand_in_takes /sandbox/fault "{\"fault\": \"$1\", \"content_type\": \"application/json\", \"body\": \"${body//\"/\\\"}\"}"
}
stand_in_takes() {
  inside curl -sS --fail -o /dev/null -H 'Authorization: Bearer play' -H 'Content-Type: application/json' \
    -d "$2" "http://127.0.0.1:8085$1"
}
# mail_by_hand SHOP KEY : another program adds a customer of this transaction.
mail_by_hand() {
  local number
  for number in "${!shops[@]}"; do [[ ${shops[number]} != "$1" ]] || break; done
  stand_in_takes /external/api/v3/customer/add "{\"Customers\": [
    {\"Email\": \"$(sql "SELECT email FROM sales WHERE id = '$2'")\",
     \"Data\": [{\"CustomerDataColumnId\": $((number + 11)), \"Value\": \"$2\"}]}]}"
}
# The service lists one rating. rating FINISHED
rating() {
  local now
  now=$(date -u -d '-1 minute' +%FT%TZ)
  fault before:200:v3/rating "{\"Ratings\": [{\"Id\": 4100001, \"TransactionDate\": \"$now\", \"FinishedDate\": \"$1\",
    \"ReviewApprovedDate\": \"$now\", \"Data\": [{\"DisplayName\": \"LastName\", \"Value\": \"Bakker\"}]}]}"
}
reload() { expect "reload" 0 "" inside systemctl reload surveybridge surveybridge@second; }
# change SED… : of both daemons' files.
change() {
  edit "$@"
  inside sed -i "$@" /etc/surveybridge/second.toml
  reload
}

make_shops() {
  local shop
  sql "CREATE TABLE shop (n integer, name text);
    CREATE TABLE sales (id text PRIMARY KEY, shop text, email text, name text, delivered_at timestamptz);
    CREATE TABLE parcels (LIKE sales INCLUDING ALL);
    CREATE TABLE answers (id text PRIMARY KEY, state text);
    CREATE TABLE do_not_mail (address text);
    GRANT SELECT ON sales, parcels, do_not_mail TO surveybridge; GRANT SELECT, UPDATE ON answers TO surveybridge"
  for number in "${!shops[@]}"; do
    shop=${shops[number]}
    sql "INSERT INTO shop VALUES ($number, '$shop')"
    sale "$shop" 1
    sale "$shop" 2
  done
  sql "INSERT INTO parcels SELECT 'K799' || n, 'parcels', 'bakker' || n || '@people.test', 'Bakker',
    now() - interval '1 hour' FROM generate_series(1, 2) n"
  sql "INSERT INTO answers SELECT id, '' FROM sales WHERE shop = 'books'"
}

# push NAME QUERY LINE… : ends with an empty line.
push() {
  printf '[push.%s]\nevery = "3s"\nquery = "%s"\nkey = "id"\nwhen = "delivered_at"\nstart = 2026-01-01\n' "$1" "$2"
  printf 'customer.Email = "email"\ncustomer.Data.LastName = "name"\n'
  printf '%s\n' "${@:3}" ""
}
configuration() {
  local shop lines
  cat <<END
[service]
base_url = "http://127.0.0.1:8085"
auth = { kind = "bearer", token = { credential = "token" } }
pace = { max_per_second = 200 }
[crm]
connection = "postgresql://host=/run/postgresql dbname=crm"
connections = 16
[suppress.lists.vip]
query = "SELECT address FROM do_not_mail"
column = "address"
[alert.ops]
mail = ["ops@alerts.test"]
from = "surveybridge@alerts.test"
server = "smtp://mail.test:587"
ca_file = "/etc/exim4/mail.crt"
user = "bridge"
password = { credential = "smtp-password" }
[alert.chat]
webhook = "http://127.0.0.1:8025/chat"
[alert.refused]
webhook = "http://127.0.0.1:8025/refused"
[pull.ratings]
every = "3s"
from = 2026-01-01
[pull.bouncers]
every = "3s"
look_back = "30d"
[pull.customers]
every = "3s"
from = 2026-01-01
[[pull.customers.walk]]
by = "TransactionDate"
name = "optouts"
filter = { IsOptout = true }
[[pull.customers.write]]
table = "answers"
match = { id = "Data[Keybooks]" }
set = { state = "Status.StatusName" }

END
  for shop in "${shops[@]}"; do
    lines=("correlate = \"Key$shop\"" 'settle = "1s"' "customer.Data.Key$shop = \"id\"" 'brake = false')
    case $shop in
      orders) unset "lines[3]" ;;
      few) lines+=('expect = "10 per day"') ;;
      renamed) lines[1]='settle = "30d"' ;;
      late) lines+=('look_back = "1d"') ;;
    esac
    push "$shop" "SELECT id, email, name, delivered_at FROM sales WHERE shop = '$shop'" "${lines[@]}"
  done
  push parcels "SELECT id, email, name, delivered_at FROM parcels" 'brake = false'
}
configure() {
  credential token play
  credential smtp-password "$password"
  configuration | inside sh -c "cat >$config; cd /etc/surveybridge; umask 027; cp surveybridge.toml second.toml"
}

verify_finds() { expect "the nightly verify: $1" "$2" "" inside systemctl start surveybridge-verify; }

# The brake holds, and the filter is ignored, from the start on.
begin_first() {
  local hour="floor(extract(epoch FROM now()) / 3600)::bigint"
  awaits "the service lists what was sent" 180 sql_is \
    "SELECT count(*) = 16 FROM survey_push WHERE state = 'sent' AND customer_id IS NOT NULL"
  sql "INSERT INTO survey_arrival (job, hour, rows) SELECT 'push.few', $hour - 30, 0"
  sql "INSERT INTO survey_arrival (job, hour, rows) SELECT 'pull.ratings.ReviewApprovedDate', h, 2
    FROM generate_series($hour - 24 * 40, $hour - 24 * 4) h"
  sql "INSERT INTO do_not_mail VALUES ('bakker99@people.test'), ('Bakker, by telephone')"
  sale odd 3
  awaits "the list of addresses is read" 180 is_in odd sent 3
  sql "ALTER TABLE answers ALTER state TYPE varchar(2) USING left(state, 2)"
  inside surveybridge write-back customers >/dev/null 2>&1 || true
  sql "UPDATE survey_push SET state = 'suppressed' WHERE push = 'books' AND key LIKE '%1'"
  mail_by_hand twice "$(sql "SELECT id FROM sales WHERE shop = 'twice' LIMIT 1")"
  awaits "the log says MORE THAN ONCE" 180 \
    inside sh -c 'journalctl -q MESSAGE_ID=80a33272065748448abb7efbcbe8cdc7 | grep -q .'
  verify_finds "a restored row, and a transaction twice" 1
}

begin_second() {
  fault before:reset:customer/add ""
  sale held 3
  awaits "an add that is lost is held" 180 is_in held held 1
  fault before:reset:customer/add ""
  sale renamed 3
  awaits "another one is in doubt" 180 is_in renamed in_doubt 1
  change '/^\[push.renamed\]/,/^$/d'
  sale odd 4 "Bakker has none"
  sale late 3 bakker3@people.test "3 days"
  fault before:200:customer/add ""
  sale lost 3
  awaits "an add that the service forgets is sent" 180 is_in lost sent 3
  sql "UPDATE survey_push SET changed_at = changed_at - interval '3 days', seen_at = seen_at - interval '3 days'
    WHERE push = 'lost' AND customer_id IS NULL"
  rating yesterday
  fault before:403:getbouncers:100000 ""
  sql "ALTER TABLE parcels RENAME delivered_at TO delivered"
  inside surveybridge now >/dev/null
}

mend_all() {
  local key
  inside surveybridge release orders --confirm 2 >/dev/null
  sql "DELETE FROM do_not_mail WHERE address LIKE '% %'"
  for key in $(seq 3 9); do sale few "$key"; done
  sql "INSERT INTO sales SELECT id || 'b', shop, email, name, delivered_at FROM sales WHERE shop = 'few'"
  sql "ALTER TABLE answers ALTER state TYPE text"
  inside surveybridge write-back customers >/dev/null
  sql "UPDATE survey_push SET state = 'sent' WHERE push = 'books'"
  inside surveybridge doubt resend --push held --all >/dev/null
  inside surveybridge doubt sent "$(sql "SELECT key FROM survey_push WHERE state = 'in_doubt'")" >/dev/null
  sql "UPDATE sales SET email = 'bakker4@people.test' WHERE email LIKE '% %'"
  inside surveybridge quarantine retry --push odd --all >/dev/null
  mail_by_hand lost "$(sql "SELECT key FROM survey_push WHERE push = 'lost' AND customer_id IS NULL")"
  stand_in_takes /sandbox/forget "{}"
  rating "$(date -u -d '-2 minutes' +%FT%TZ)"
  sql "ALTER TABLE parcels RENAME delivered TO delivered_at"
  inside rm $box/refuse
  change -e '/^filter = /d' -e 's/^look_back = "1d"/look_back = "30d"/' -e '/^\[push.twice\]/,/^$/d'
  awaits "everything goes out" 180 sql_is \
    "SELECT count(*) = 0 FROM survey_push WHERE state NOT IN ('sent', 'suppressed')"
  awaits "the late one, too" 180 is_in late sent 3
  awaits "and is listed" 180 sql_is \
    "SELECT count(*) = 0 FROM survey_push WHERE push <> 'renamed' AND push <> 'parcels' AND customer_id IS NULL"
  inside surveybridge now >/dev/null
  verify_finds "nothing" 0
}

begin_last() {
  sql "INSERT INTO parcels VALUES ('K7993', 'parcels', 'Bakker has none', 'Bakker', now())"
}

kill_both() {
  local unit
  local -A before
  for unit in surveybridge surveybridge@second; do before[$unit]=$(pid_of "$unit"); done
  inside systemctl kill --signal=KILL --kill-who=main surveybridge surveybridge@second
  for unit in "${!before[@]}"; do
    awaits "killed, $unit is started again" 120 is_new "$unit" "${before[$unit]}"
  done
}
killed_for_good() {
  inside systemctl is-failed --quiet surveybridge && return
  inside systemctl kill --signal=KILL --kill-who=main surveybridge
  return 1
}
