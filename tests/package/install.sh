# shellcheck shell=bash
# A fresh container.
echo "Installing"
mapfile -t previous < <(debs previous 0.0.9 surveybridge surveysandbox)
prepare "${previous[@]}"
boot
# get FOLDER VERSION PACKAGE…
get() {
  local files
  mapfile -t files < <(debs "$@")
  apt_install "${files[@]}"
}
expect "apt installs the package and what it needs" 0 "" get previous 0.0.9 surveybridge surveysandbox
equal "the program is where the unit wants it" "surveybridge 0.0.9" \
  "surveybridge $(inside dpkg-query -W -f '${Version}' surveybridge)"
expect "the program runs" 0 "surveybridge" inside surveybridge --version
expect "the alert rules are there" 0 "SurveybridgeDown" \
  inside cat /usr/share/surveybridge/monitoring/alerts.yml
expect "the schema of the configuration is there" 0 "json-schema" \
  inside cat /usr/share/surveybridge/surveybridge.schema.json
equal "nothing runs before it is configured" inactive "$(inside systemctl is-active surveybridge || true)"
equal "rights of the configuration" "root surveybridge 640" \
  "$(inside stat -c '%U %G %a' /etc/surveybridge/surveybridge.toml)"
equal "rights of the credentials" "root surveybridge 2750" \
  "$(inside stat -c '%U %G %a' /etc/surveybridge/credentials)"
