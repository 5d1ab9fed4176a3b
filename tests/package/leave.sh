# shellcheck shell=bash
# Upgrades, removal and purge.
echo "Upgrade"
units=(surveybridge surveybridge@mariadb surveybridge@sqlite)
declare -A before
for unit in "${units[@]}"; do before[$unit]=$(pid_of "$unit"); done
expect "apt installs the next version" 0 "" get current "$version" surveybridge surveysandbox
for unit in "${units[@]}"; do
  awaits "$unit runs as a new process" 60 is_new "$unit" "${before[$unit]}"
done
orders 80 89
awaits "and orders go out" 60 sent 81
pid=$(pid_of surveybridge)
edit 's|^key   = "id"|kay   = "id"|'
expect "a version that refuses the configuration is installed" 0 "refuses" \
  get next "$version.1" surveybridge surveysandbox
equal "and the old process runs on" "$pid" "$(pid_of surveybridge)"
orders 90 99
awaits "with orders that go out" 60 sent 91
edit 's|^kay   = "id"|key   = "id"|'

echo "Removal"
everything() { inside find / -xdev -name '*surveybridge*' -not -path '/proc/*' -not -path '/srv/*' \
  -not -path '/var/log/*' -not -path '/var/cache/*' -not -path '/var/lib/dpkg/*'; }
expect "apt removes it" 0 "" inside apt-get -y remove surveybridge
equal "the program is gone" "" "$(inside sh -c 'command -v surveybridge || true')"
for unit in "${units[@]}"; do
  equal "$unit is gone" inactive "$(inside systemctl is-active "$unit" || true)"
done
expect "the configuration stays" 0 "base_url" inside cat "$config"
expect "the credentials stay" 0 "play" inside cat /etc/surveybridge/credentials/token
expect "apt installs it again" 0 "" get next "$version.1" surveybridge
expect "it runs with its old configuration" 0 "" inside systemctl enable --now surveybridge
orders 100 109
awaits "and goes on where it was" 60 sent 101
expect "apt purges it" 0 "" inside apt-get -y purge surveybridge surveysandbox
equal "no file is left" "" "$(everything)"
equal "no user" "" "$(inside getent passwd surveybridge || true)"
equal "no group" "" "$(inside getent group surveybridge surveybridge-operators || true)"
equal "no process" "" "$(inside pgrep -a surveybridge || true)"
equal "the database is as it was" 101 "$(count_sent)"
