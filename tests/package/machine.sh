# shellcheck shell=bash
# Sourced by run: a container with a systemd of its own and no network, and what is expected of it.
# $root is its folder. `inside` is root in it, `as USER` another user.

leader=
container=
inside() { nsenter --target "$leader" --all -- env -i PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"; }
as() { inside runuser -u "$1" -- "${@:2}"; }

ok() { printf '  %s\n' "$*"; }
fail() {
  say "package: $*"
  [[ -z $leader ]] || inside journalctl --no-pager -n 60 -u 'surveybridge*' >&2 || true
  exit 1
}

# awaits WHAT SECONDS COMMAND… : again and again until it succeeds.
awaits() {
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what: not within its time: $*"
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

pid_of() { inside systemctl show -p MainPID --value "$1"; }
is_new() { local now; now=$(pid_of "$1") && [[ $now != 0 && $now != "$2" ]]; }
is_active() { [[ $(inside systemctl is-active "$1") == active ]]; }
