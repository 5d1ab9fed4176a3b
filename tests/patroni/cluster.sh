# shellcheck shell=bash
# Sourced by run: an etcd and three nodes of Patroni in $folder. `as_owner` starts a program as the user who may run
# PostgreSQL. $folder and $programs are run's.
# shellcheck disable=SC2154
names=(a b c)
declare -A port=() rest=() pid=()
etcd=
as_owner=()
if ((EUID == 0)); then as_owner=(setpriv --reuid=postgres --regid=postgres --init-groups --); fi

# ports HOW_MANY : free ones that no connection takes for its own end while a node is away.
ports() {
  /usr/bin/python3 - "$1" <<'PY'
import random, socket, sys
kept = []
for port in random.sample(range(20000, 32000), 12000):
    if len(kept) == int(sys.argv[1]): break
    one = socket.socket()
    try: one.bind(('127.0.0.1', port))
    except OSError: continue
    kept.append(one)
print(*(one.getsockname()[1] for one in kept), sep='\n')
PY
}

start_etcd() { # CLIENT_PORT PEER_PORT
  "${as_owner[@]}" etcd --data-dir "$folder/etcd" --listen-client-urls "http://127.0.0.1:$1" \
    --advertise-client-urls "http://127.0.0.1:$1" --listen-peer-urls "http://127.0.0.1:$2" \
    --initial-advertise-peer-urls "http://127.0.0.1:$2" --initial-cluster "default=http://127.0.0.1:$2" \
    >"$folder/etcd.log" 2>&1 &
  etcd=$!
}
etcd_is_healthy() { curl -sf -m 5 "http://127.0.0.1:$1/health" | grep '"true"'; }

# A commit waits for one standby (synchronous_mode), also while there is none (strict): no claim is on one node alone.
# ttl and loop_wait are the least that Patroni takes. retry_timeout may be 3: with 5 a slow machine is no fault.
write_node() { # NAME ETCD_PORT
  cat >"$folder/$1.yml" <<YAML
scope: shop
name: $1
restapi: {listen: "127.0.0.1:${rest[$1]}", connect_address: "127.0.0.1:${rest[$1]}"}
etcd3: {host: "127.0.0.1:$2"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 60, shared_buffers: 32MB, wal_keep_size: 256MB}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, no-sync]
postgresql:
  listen: "127.0.0.1:${port[$1]}"
  connect_address: "127.0.0.1:${port[$1]}"
  data_dir: "$folder/$1/data"
  bin_dir: "$programs"
  pgpass: "$folder/$1/pgpass"
  authentication:
    superuser: {username: postgres, password: play}
    replication: {username: replicator, password: play}
    rewind: {username: rewinder, password: play}
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  parameters: {unix_socket_directories: "$folder/$1"}
YAML
}

start_node() { # NAME
  HOME=$folder/$1 "${as_owner[@]}" patroni "$folder/$1.yml" >>"$folder/$1.log" 2>&1 &
  pid[$1]=$!
}

make_nodes() {
  local name ports
  mkdir -m 700 "$folder/etcd" "${names[@]/#/$folder/}"
  if ((EUID == 0)); then chown postgres "$folder/etcd" "${names[@]/#/$folder/}"; fi
  mapfile -t ports < <(ports 8)
  start_etcd "${ports[6]}" "${ports[7]}"
  awaits "etcd answers" 30 etcd_is_healthy "${ports[6]}"
  for name in "${names[@]}"; do
    port[$name]=${ports[0]} rest[$name]=${ports[1]} ports=("${ports[@]:2}")
  done
  for name in "${names[@]}"; do
    write_node "$name" "${ports[0]}"
    start_node "$name"
  done
  awaits "three nodes, one of them the synchronous standby" 180 is_whole
}

# What one of the nodes says about all of them.
members() {
  local name
  for name in "${names[@]}"; do
    curl -sf -m 5 "http://127.0.0.1:${rest[$name]}/cluster" && return
  done
  return 1
}
node_that() { members | jq -r "[.members[] | select(.role == \"$1\")][0].name // empty"; } # ROLE
is_led_by() { [[ $(node_that leader) == "$1" ]]; }
is_led_by_another() {
  local now
  now=$(node_that leader) && [[ -n $now && $now != "$1" ]]
}

# Three nodes that follow one timeline, and the standbys have less than a megabyte to catch up with.
is_whole() {
  members | jq -e '.members | length == 3
    and all(.[]; .state == "running" or .state == "streaming")
    and ([.[] | select(.role == "leader")] | length == 1)
    and ([.[] | select(.role == "sync_standby")] | length == 1)
    and ([.[].timeline] | unique | length == 1)
    and all(.[] | select(.role != "leader"); (.lag | type) == "number" and .lag < 1000000)'
}

switch_over() { # FROM TO
  local said
  said=$(curl -s -m 60 -w ' %{http_code}' -d "{\"leader\": \"$1\", \"candidate\": \"$2\"}" \
    "http://127.0.0.1:${rest[$1]}/switchover") || true
  [[ $said == *" 200" ]] || fail "switchover from $1 to $2: $said"
}

# The processes of a node's PostgreSQL: all of them work in its folder.
processes() { find /proc -maxdepth 2 -name cwd -lname "$folder/$1/data" -printf '%h\n' 2>/dev/null | sed 's|/proc/||'; }
has_no_process() { [[ -z $(processes "$1") ]]; }

kill_node() { # NAME
  local of_server
  mapfile -t of_server < <(processes "$1")
  ((${#of_server[@]} > 1)) || fail "PostgreSQL of $1 does not run"
  kill -KILL "${pid[$1]}" "${of_server[@]}" 2>/dev/null || true
  wait "${pid[$1]}" 2>/dev/null || true
  unset "pid[$1]"
}

kill_rest() { # NAME
  local left
  mapfile -t left < <(processes "$1")
  ((${#left[@]} == 0)) || kill -KILL "${left[@]}" 2>/dev/null || true
  has_no_process "$1"
}

# By SIGTERM Patroni stops its PostgreSQL. What is left after half a minute is killed.
stop_nodes() {
  local name end=$((SECONDS + 30))
  for name in "${!pid[@]}"; do kill "${pid[$name]}" 2>/dev/null || true; done
  for name in "${!pid[@]}"; do
    while kill -0 "${pid[$name]}" 2>/dev/null && ((SECONDS < end)); do sleep 0.1; done
    kill -KILL "${pid[$name]}" 2>/dev/null || true
  done
  for name in "${names[@]}"; do
    while ! kill_rest "$name" && ((SECONDS < end + 10)); do sleep 0.1; done
  done
  [[ -z $etcd ]] || kill "$etcd" 2>/dev/null || true
}
