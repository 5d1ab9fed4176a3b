# shellcheck shell=bash
# A fresh container. What apt has to fetch is fetched before the network is gone.
echo "Installing"
step "making a Debian root" tests/package/root "$kept/root"
cp -a "$kept/root" "$root"
for folder in previous current next; do
  mkdir -p "$root/srv/$folder"
  cp "$kept/$folder"/*.deb "$root/srv/$folder"
done
echo crm >"$root/etc/hostname"
printf '127.0.0.1 localhost crm\n' >"$root/etc/hosts"
cp /etc/resolv.conf "$root/etc/resolv.conf"
step "fetching what the package needs" chroot "$root" apt-get -qq -y --no-install-recommends \
  --download-only install "/srv/previous/surveybridge_0.0.9_$arch.deb" \
  "/srv/previous/surveysandbox_0.0.9_$arch.deb"
boot
# get FOLDER VERSION PACKAGE… : apt's own installation, from files.
get() {
  local folder=$1 version=$2 name files=()
  shift 2
  for name in "$@"; do files+=("/srv/$folder/${name}_${version}_$arch.deb"); done
  inside env DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends install "${files[@]}"
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
