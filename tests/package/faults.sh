# shellcheck shell=bash
# The daemon is reloaded, killed and frozen while orders come in.
echo "Faults"
pid=$(pid_of surveybridge)
edit 's|^start = 2026-01-01.*|&\nlook_back = "8d"|'
expect "systemctl reload takes a good file" 0 "" inside systemctl reload surveybridge
awaits "the journal says so" 30 inside sh -c 'journalctl -u surveybridge | grep -q "the configuration was read anew"'
equal "by the same process" "$pid" "$(pid_of surveybridge)"
edit -e 's|^key   = "id"|kay   = "id"|' -e 's|^\[pull.customers\]|[pull.custmers]|'
expect "systemctl reload refuses a wrong file" 1 "" inside systemctl reload surveybridge
for problem in kay custmers; do
  awaits "the journal names $problem as an error" 30 \
    inside sh -c "journalctl -p err -u surveybridge | grep -q $problem"
done
inside systemctl kill --signal=HUP --kill-who=main surveybridge
awaits "SIGHUP alone leaves the old file in force too" 30 \
  inside sh -c 'journalctl -p err -u surveybridge | grep -q "the old configuration stays in force"'
orders 50 59
awaits "orders go out by the old file" 60 sent 51
equal "by the same process still" "$pid" "$(pid_of surveybridge)"
edit -e 's|^kay   = "id"|key   = "id"|' -e 's|^\[pull.custmers\]|[pull.customers]|'
expect "the mended file is taken" 0 "" inside systemctl reload surveybridge

inside systemctl kill --signal=KILL --kill-who=main surveybridge
orders 60 69
awaits "killed, it is started again" 60 is_new surveybridge "$pid"
awaits "and goes on" 60 sent 61
pid=$(pid_of surveybridge)
inside kill -STOP "$pid"
orders 70 79
awaits "frozen, the watchdog ends it" 150 is_new surveybridge "$pid"
awaits "and it goes on" 60 sent 71
# The sessions of the daemon hang: the server's processes are stopped.
backends() { sql "SELECT pid FROM pg_stat_activity WHERE usename = 'surveybridge'"; }
unhealthy() { [[ $(inside curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9464/health) == 503 ]]; }
healthy() { [[ $(inside curl -s http://127.0.0.1:9464/health) == ok ]]; }
awaits "the daemon is healthy" 30 healthy
mapfile -t stopped < <(backends)
inside kill -STOP "${stopped[@]}"
awaits "sessions that hang are on /health within 60 s" 60 unhealthy
awaits "and in the log, as an error" 15 \
  inside sh -c 'journalctl -p err -u surveybridge | grep -q "the database has not answered"'
expect "and in status, with exit 1" 1 "the database has not answered" as clerk surveybridge status
inside kill -CONT "${stopped[@]}"
awaits "and over when they answer" 60 healthy
mailed() { inside curl -s http://127.0.0.1:8085/sandbox/state | grep -oE '"customers":[0-9]+'; }
equal "nobody is mailed twice" '"customers":71' "$(mailed)"
