# shellcheck shell=bash
# Sourced by run, alerts, image and system: the packages, a container with a systemd of its own and no network, and
# what is expected of it. $root is its folder. `inside` is root in it, `as USER` another user.
# Their first argument is the suite of Debian, without it this system's. The packages of another suite are built in a
# system of that suite, which sees these sources and has a folder of its own in the place of build/dev.

this_suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=${1:-$this_suite}
kept=build/package-test/$suite
work=$(mktemp -d)
root=$work/root
version=$(sed -n 's/^project(surveybridge VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
arch=$(dpkg --print-architecture)
packed=() # folders
leader=
container=
inside() { nsenter --target "$leader" --all -- env -i PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"; }
as() { inside runuser -u "$1" -- "${@:2}"; }

ok() { printf '  %s\n' "$*"; }
fail() {
  say "$(basename "$0"): $*"
  [[ -z $leader ]] || inside journalctl --no-pager -n 60 -u 'surveybridge*' >&2 || true
  exit 1
}

# awaits WHAT SECONDS COMMAND… : again and again until it succeeds.
awaits() {
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what: not within its time: $*"
    sleep "${pause:-0.2}"
  done
  ok "$what"
}

# expect WHAT EXIT_CODE TEXT COMMAND… : its exit code, and a text that it prints (any, if empty).
expect() {
  local what=$1 wanted=$2 text=$3 said code=0
  shift 3
  said=$("$@" 2>&1) || code=$?
  [[ $code == "$wanted" && ($said == *"$text"*) ]] ||
    fail "$what: exit $code instead of $wanted, wanted \"$text\": $*"$'\n'"$said"
  ok "$what"
}

# equal WHAT WANTED GOT
equal() {
  [[ $2 == "$3" ]] || fail "$1: \"$3\" instead of \"$2\""
  ok "$1"
}

# a_root FOLDER : a copy of a Debian of the suite.
a_root() {
  step "making a root of $suite" tests/package/root "$kept/root" "$suite"
  cp -a "$kept/root" "$1"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
}

# on_suite COMMAND… : where packages of the suite are built.
on_suite() {
  if [[ $suite == "$this_suite" ]]; then
    "$@"
    return
  fi
  [[ -e $kept/builder ]] || { a_root "$kept/copied" && mv "$kept/copied" "$kept/builder"; }
  mkdir -p "$kept/dev" build/dev
  systemd-nspawn --quiet --pipe --register=no --keep-unit --directory="$kept/builder" --bind="$PWD" \
    --bind="$PWD/$kept/dev:$PWD/build/dev" --chdir="$PWD" --setenv=LC_ALL=C.UTF-8 "$@"
}

# pack VERSION FOLDER
pack() {
  on_suite scripts/package "$1" "$kept/$2" >/dev/null
  packed+=("$2")
}

# debs FOLDER VERSION PACKAGE… : what they are called in the container.
debs() {
  local folder=$1 of=$2
  shift 2
  printf "/srv/$folder/%s_${of}_$arch.deb\n" "$@"
}

# prepare PACKAGE… : a fresh root. What apt has to fetch for these is fetched before the network is gone.
prepare() {
  local folder
  a_root "$root"
  for folder in "${packed[@]}"; do
    mkdir -p "$root/srv/$folder"
    cp "$kept/$folder"/*.deb "$root/srv/$folder"
  done
  echo crm >"$root/etc/hostname"
  printf '127.0.0.1 localhost crm mail.test\n' >"$root/etc/hosts"
  step "fetching what the package needs" chroot "$root" apt-get -qq -y --no-install-recommends \
    --download-only install "$@"
}

# apt_install PACKAGE… : apt's own installation.
apt_install() {
  inside env DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends install "$@"
}

boot() {
  systemd-nspawn --quiet --boot --private-network --register=no --keep-unit --directory="$root" \
    --hostname=crm --link-journal=no >"$work/console" 2>&1 </dev/null &
  container=$!
  local end=$((SECONDS + 60))
  until leader=$(pgrep -P "$container" -x systemd); do
    kill -0 "$container" 2>/dev/null && ((SECONDS < end)) ||
      { tail -n 20 "$work/console" >&2; leader=; fail "the container does not boot"; }
  done
  awaits "a container with its own systemd" 120 inside systemctl is-system-running --wait
}

halt() {
  [[ -n $container ]] || return 0
  kill -KILL "$leader" 2>/dev/null || kill "$container" 2>/dev/null || true
  wait "$container" 2>/dev/null || true
}

finish() {
  halt
  rm -rf --one-file-system "$work"
}

config=/etc/surveybridge/surveybridge.toml
edit() { inside sed -i "$@" "$config"; }
# credential NAME TEXT
credential() {
  # shellcheck disable=SC2016 # of the shell in the container
  inside sh -c 'umask 027; cd /etc/surveybridge/credentials; echo "$2" >"$1"; chgrp surveybridge "$1"' \
    sh "$1" "$2"
}

# PostgreSQL by peer authentication, as Debian's package sets it up. The role may create tables.
sql() { as postgres psql -Atq -v ON_ERROR_STOP=1 -d crm -c "$1"; }
make_crm() {
  awaits "PostgreSQL runs" 60 as postgres psql -Atqc 'SELECT 1'
  as postgres createdb crm
  sql "CREATE ROLE surveybridge LOGIN; GRANT CREATE, USAGE ON SCHEMA public TO surveybridge"
}

# stand_in OPTION…
stand_in() {
  inside systemd-run --quiet --unit=sandbox surveysandbox --port 8085 --token play "$@"
  awaits "the service's stand-in runs" 30 inside curl -s http://127.0.0.1:8085/
}

pid_of() { inside systemctl show -p MainPID --value "$1"; }
is_new() { local now; now=$(pid_of "$1") && [[ $now != 0 && $now != "$2" ]]; }
is_active() { [[ $(inside systemctl is-active "$1") == active ]]; }
