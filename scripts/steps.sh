# shellcheck shell=bash
# Sourced by the scripts in this folder. A step prints nothing while it runs. When it fails, its name and the
# end of its output go to standard error, and the script exits with its exit code.

say() { printf '%s\n' "$*" >&2; }

# step NAME COMMAND…
step() {
  local name=$1 log code=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 || code=$?
  if ((code != 0)); then
    say "$(basename "$0"): $name failed (exit $code):"
    tail -n "${STEP_LINES:-40}" "$log" | sed 's/^/  /' >&2
    rm -f "$log"
    exit "$code"
  fi
  rm -f "$log"
}

# built PRESET TARGET… : configures the preset and builds the targets (all, if none is named).
built() {
  local preset=$1
  shift
  step "configuring $preset" cmake --preset "$preset"
  (($#)) && set -- --target "$@"
  step "building $preset" cmake --build --preset "$preset" "$@"
}

# Where this machine takes Debian's packages from: it may be a mirror.
mirror() {
  local found
  found=$(awk '/^(deb|URIs:)/ { for (i = 2; i <= NF; i++) if ($i ~ /^http.*\/debian\/?$/) print $i }' \
    $(find /etc/apt -name '*.list' -o -name '*.sources') </dev/null)
  [[ -n $found ]] || found=http://deb.debian.org/debian
  sed 's|/$||; q' <<<"$found"
}
