# shellcheck shell=bash
# Every command by root, by a member of the operators' group and by somebody else.
echo "Commands"
inside useradd --groups surveybridge-operators clerk
inside useradd visitor
expect "somebody else may not read the configuration" 78 "$config" as visitor surveybridge status
expect "a member may not read it either" 1 "ermission denied" as clerk cat "$config"
expect "nor a secret" 1 "ermission denied" as clerk cat /etc/surveybridge/credentials/token
inside sh -c "cp $config /tmp/own.toml && chown clerk /tmp/own.toml"
expect "a configuration of a member's own is read with the member's rights" 78 "token" \
  as clerk surveybridge check -c /tmp/own.toml
expect "and not with the service's, by sudo" 78 "by sudo only configurations in /etc/surveybridge" \
  as clerk sudo -n -u surveybridge surveybridge check -c /tmp/own.toml
expect "nor by another name of the file" 78 "by sudo only configurations in /etc/surveybridge" \
  as clerk sudo -n -u surveybridge surveybridge check -c /etc/surveybridge/../../tmp/own.toml
expect "nor as the place from which tables are moved" 78 "by sudo only configurations" \
  as clerk sudo -n -u surveybridge surveybridge move --from /tmp/own.toml
expect "root does not do what it says either" 78 "/tmp/own.toml (mode 0640, owner clerk): its owner" \
  as root surveybridge check -c /tmp/own.toml
inside sh -c "cp $config /tmp/open.toml && chmod 666 /tmp/open.toml"
expect "nor what everybody may write" 78 "/tmp/open.toml (mode 0666, owner root): whoever may write" \
  as root surveybridge check -c /tmp/open.toml
expect "nor the installed one by a way that the member may change" 78 "by sudo only configurations" \
  as clerk sudo -n -u surveybridge surveybridge check -c "/tmp/../$config"
expect "nor as a changed one" 78 "by sudo only configurations" \
  as clerk sudo -n -u surveybridge surveybridge plan /tmp/own.toml
expect "nor as one with tests" 78 "by sudo only configurations" \
  as clerk sudo -n -u surveybridge surveybridge test /tmp/own.toml
expect "and a member makes no configuration" 2 "only root makes a configuration" \
  as clerk sudo -n -u surveybridge surveybridge init -c /tmp/new.toml
inside rm /tmp/own.toml /tmp/open.toml
inside touch /etc/surveybridge/second.toml
equal "a new file belongs to the service's group" surveybridge \
  "$(inside stat -c %G /etc/surveybridge/second.toml)"
inside rm /etc/surveybridge/second.toml
expect "a member lets the first orders go" 0 "released: up to 40" \
  as clerk surveybridge release orders --confirm 40
awaits "40 orders are sent" 120 sent 40
pulled() { [[ $(sql "SELECT count(*) FROM survey_customer") == "$1" ]]; }
awaits "40 customers are pulled" 60 pulled 40
orders 41 41
sql "INSERT INTO orders VALUES (999, 'nobody', now() - interval '1 hour')"
set_aside() { [[ $(as root surveybridge quarantine list) == *999* ]]; }

inside sh -c 'printf "[[test]]\npush = \"orders\"\nrow = { email = \"nobody\" }\nreason = \"quarantined\"\n" \
  >/etc/surveybridge/tests.toml'
# Each line: exit code, text, words of the command. `run` is the daemon itself; postgresql.sh has `init`.
commands() {
  cat <<'END'
0|ok|check
0|ok (offline)|check --offline
0|push.orders|preview
0|nothing changes|plan /etc/surveybridge/surveybridge.toml
0|1 test: ok|test /etc/surveybridge/tests.toml
1|push.orders|sync
1|quarantined|status
0|go on now|now
1|"ledger"|status --json
0|sent|explain 1
1|999|quarantine list
0|999|quarantine retry 999
0||suppressed
0||doubt list
0||rows --state held
1|nothing was released|release orders --confirm 1000
0|push.orders|verify
2|there is no [[pull.customers.write]]|write-back customers
0||backfill customers --from 2026-01-01
0|Sent|report --from 2026-01-01
2|there is no [alert.NAME]|alert test
0|survey_customer|export person3@example.test
0|erased|forget person2@example.test
0|CREATE TABLE|schema --database postgresql
0|"properties"|config-schema
0|surveybridge quarantine|help quarantine
1|stop it first|move --from /etc/surveybridge/surveybridge.toml
END
}
described=$(inside surveybridge --help | awk 'NF > 1 && $1 !~ /:$/ && /^  [a-z]/ { print $1 }')
missing=$(comm -13 <(commands | awk -F'|' '{ split($3, w, " "); print w[1] } END { print "run\ninit" }' | sort -u) \
  <(sort <<<"$described"))
equal "every command of --help is tried here" "" "$missing"
for user in root clerk; do
  awaits "an order without an address is set aside" 60 set_aside
  while IFS='|' read -r code text words; do
    # shellcheck disable=SC2086 # words of a command
    expect "$user: $words" "$code" "$text" as "$user" surveybridge $words </dev/null
  done < <(commands)
done
inside rm /etc/surveybridge/tests.toml
expect "the ledger has root's decision" 0 "pending: retry decided by root" \
  as root surveybridge explain 999
expect "and that of the member, whom sudo names" 0 \
  "pending: retry decided by surveybridge (sudo by clerk" as root surveybridge explain 999
awaits "the journal finds a row by its job, key, event and priority (docs/RUNBOOK.md)" 30 \
  inside sh -c 'journalctl -q -o cat SURVEYBRIDGE_JOB=push.orders SURVEYBRIDGE_KEY=999 PRIORITY=4 \
    MESSAGE_ID=7630cfa1ca3849a6ae520f0c8e1392f0 | grep -q quarantined'
expect "the members' status has the jobs of the daemon" 1 "job     push.orders" \
  as clerk surveybridge status
expect "man has the program" 0 "EXIT STATUS" inside man -P cat surveybridge
expect "man has a command" 0 "which page of 1,000 rows" inside man -P cat surveybridge-quarantine
expect "man has the configuration" 0 "max_in_flight" inside man -P cat surveybridge.toml
expect "bash completes" 0 "status" inside bash -c \
  '. /usr/share/bash-completion/completions/surveybridge; COMP_WORDS=(surveybridge sta) COMP_CWORD=1
   _surveybridge; echo "${COMPREPLY[@]}"'
equal "nothing that a command made belongs to another user" "" \
  "$(inside find /var/lib/surveybridge ! -user surveybridge)"
