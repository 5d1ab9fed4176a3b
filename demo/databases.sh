# shellcheck shell=bash
# Sourced by scripts/demo: the database of its CRM, with what differs between $kind and the others.
#   sql DATABASE [STATEMENT]   runs it, or what standard input says; prints cells without decoration
#   make_database NAME         makes an empty one
#   connection_to DATABASE     prints what [crm] connection says
#   client DATABASE            prints the command by which a person looks into it
#   in_its_words               standard input's CREATE TABLE, as $kind writes the types
# A server is the demo's own: its files are in $folder, and it listens on 127.0.0.1 and a free port.
instant=%FT%T.000000Z            # for date(1): an instant in a column of the bridge's
line_end='char(13) || char(10)'  # in SQL
server=$folder/server
in_its_words() { cat; }

free_port() { perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport'; }

# begin_server DATABASE COMMAND… : starts it, and waits until it answers in this database.
begin_server() {
  local tries
  nohup "${@:2}" >"$folder/server.log" 2>&1 </dev/null &
  started+=($!)
  for ((tries = 600; tries > 0; tries--)); do
    sql "$1" 'SELECT 1' >/dev/null 2>&1 && return
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  say "demo: the $kind server does not answer:"
  tail -n 5 "$folder/server.log" >&2
  exit 1
}

# begin_mysqld OPTION… : MariaDB or MySQL, from the command in $mysqld. Its administrator comes by the socket only, which is in
# a folder of our own, the bridge by the port.
begin_mysqld() {
  begin_server mysql "${mysqld[@]}" --datadir="$server/data" --tmpdir="$server" --socket="$server/socket" \
    --pid-file="$server/pid" --bind-address=127.0.0.1 --port="$port" --skip-name-resolve --skip-log-bin "$@"
  sql mysql <<<"CREATE USER bridge@'127.0.0.1' IDENTIFIED BY '$password'"
}

if [[ $kind != sqlite ]]; then
  mkdir -m 700 "$server"
  port=$(free_port)
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
fi
case $kind in
  sqlite)
    sql() { sqlite3 -bail -cmd '.timeout 5000' -batch -noheader "$folder/$1.db" "${@:2}"; }
    make_database() { :; }
    connection_to() { echo "sqlite3://$folder/$1.db"; }
    ;;
  postgresql)
    line_end="chr(13) || chr(10)"
    folder_of_programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    printf '%s\n' "$password" >"$server/password"
    as_its_user=()
    if ((EUID == 0)); then # PostgreSQL refuses to run as root
      as_its_user=(setpriv --reuid=postgres --regid=postgres --clear-groups)
      chmod 711 "$folder"
      chown -R postgres: "$server"
    fi
    sql() { PGPASSWORD=$password psql -XqAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U bridge -d "$1" ${2+-c "$2"}; }
    make_database() { sql postgres "CREATE DATABASE $1"; }
    client() { echo "psql \"\$(cat $folder/$1.connection)\""; }
    in_its_words() { sed 's/DATETIME/timestamp/'; }
    connection_to() { echo "postgresql://bridge:$password@127.0.0.1:$port/$1"; }
    step "initdb" "${as_its_user[@]}" "$folder_of_programs/initdb" -D "$server/data" -U bridge --auth=scram-sha-256 \
      --pwfile="$server/password" --encoding=UTF8 --locale=C.UTF-8 --no-sync
    rm "$server/password"
    begin_server postgres "${as_its_user[@]}" "$folder_of_programs/postgres" -D "$server/data" \
      -c listen_addresses=127.0.0.1 -c port="$port" -c unix_socket_directories= -c dynamic_shared_memory_type=mmap
    ;;
  mariadb | mysql)
    instant='%F %T'
    administrator=$(id -un)
    [[ $kind == mysql ]] && administrator=root
    sql() {
      mariadb --no-defaults --batch --raw --skip-column-names --default-character-set=utf8mb4 --socket="$server/socket" \
        --user="$administrator" --init-command="SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES,PIPES_AS_CONCAT')" "$1" \
        ${2+--execute="$2"}
    }
    make_database() {
      sql mysql "CREATE DATABASE $1 CHARACTER SET utf8mb4"
      sql mysql "GRANT ALL ON $1.* TO bridge@'127.0.0.1'"
    }
    client() { echo "mariadb --no-defaults --socket=$server/socket --user=$administrator $1"; }
    connection_to() { echo "odbc://Driver=MariaDB Unicode;Server=127.0.0.1;Port=$port;Database=$1;UID=bridge;PWD=$password;"; }
    ;;&
  mariadb)
    mysqld=(/usr/sbin/mariadbd --no-defaults --user="$administrator")
    step "mariadb-install-db" mariadb-install-db --no-defaults --datadir="$server/data" --tmpdir="$server" --skip-test-db \
      --user="$administrator" --auth-root-socket-user="$administrator"
    begin_mysqld
    ;;
  mysql) # by the loader and with the libraries that it was built for
    unstable=$PWD/build/unstable/usr
    mysqld=("$unstable/lib64/ld-linux-x86-64.so.2" --library-path "$unstable/lib/x86_64-linux-gnu" "$unstable/sbin/mysqld"
      --no-defaults --basedir="$unstable" --user="$(id -un)")
    step "mysqld --initialize" "${mysqld[@]}" --datadir="$server/data" --tmpdir="$server" --initialize-insecure
    begin_mysqld --mysqlx=OFF --secure-file-priv=NULL --performance-schema=OFF
    ;;
esac
