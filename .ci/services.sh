# What a run of the suites needs beside Node: Postgres, Redis, a browser and programs. Sourced by run; what was started
# here is stopped at the end.

pg_port=15432
redis_port=6379
services=''
pg_folder=''

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

fail() {
  say "failed: $1"
  exit 1
}

# The program from the path, or from where Debian keeps the server's own programs.
pg_program() {
  command -v "$1" || find /usr/lib/postgresql/*/bin -name "$1" 2>/dev/null | sort -V | tail -1
}

# Programs that suites use: what they say they are, the package, and the names one of which it goes by.
programs='
ImageMagick imagemagick convert-im6.q16,magick,convert
Redis redis-server redis-server
'

# install_package PACKAGE WHAT-IS-MISSING
install_package() {
  say "installing $1"
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    fail "$2, and installing $1 needs root and apt-get"
  fi
  # A cluster of the package's own would take the port and want a password.
  if [ "$1" = postgresql ] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  fi
  export DEBIAN_FRONTEND=noninteractive
  { timeout 60 apt-get update -q && timeout 240 apt-get install -q -y --no-install-recommends "$1"; } \
    >"$services/apt.log" 2>&1 </dev/null || { tail -20 "$services/apt.log"; fail "apt-get could not install $1"; }
}

# Postgres refuses to run as root. Its user may not read the folder of the checkout.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    id postgres >/dev/null 2>&1 || useradd --system --no-create-home postgres
    (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@")
  else
    "$@"
  fi
}

# A plain name may be another program's: what it says of its version decides.
has_program() {
  local each said
  for each in ${2//,/ }; do
    said=$("$each" -version 2>/dev/null || "$each" --version 2>/dev/null || true)
    if [[ $said == *"$1"* ]]; then return; fi
  done
  return 1
}

need_programs() {
  local name package words
  while read -r name package words; do
    [ -z "$name" ] || has_program "$name" "$words" || install_package "$package" "$name is not installed"
  done <<<"$programs"
}

# A server of the run alone, with its data where the specs have theirs: none of them is about a power failure. A server that
# stands on this machine would write to its disk.
start_postgres() {
  [ -n "$(pg_program initdb)" ] || install_package postgresql 'The server programs of Postgres are not installed'
  while listens "$pg_port"; do pg_port=$((pg_port + 1)); done
  say "starting Postgres on 127.0.0.1:$pg_port"
  pg_folder=${TEST_DATA_DIR:-$services}/pg
  mkdir "$pg_folder"
  if [ "$(id -u)" = 0 ]; then
    as_postgres true
    chmod 711 "$(dirname "$pg_folder")"
    chown postgres "$pg_folder"
  fi
  local log=$pg_folder/log
  local options="-p $pg_port -k $pg_folder -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off"
  as_postgres "$(pg_program initdb)" -D "$pg_folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null &&
    as_postgres "$(pg_program pg_ctl)" -D "$pg_folder/data" -l "$log" -w -t 30 \
      -o "$options -c full_page_writes=off" start >/dev/null ||
    { cat "$log" 2>/dev/null; fail 'Postgres did not start'; }
  export DATABASE_URL=postgres://postgres@127.0.0.1:$pg_port/postgres
}

start_redis() {
  if listens "$redis_port"; then return; fi
  say "starting Redis on 127.0.0.1:$redis_port"
  mkdir "$services/redis"
  redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --appendonly no --daemonize yes \
    --dir "$services/redis" --pidfile "$services/redis/pid" --logfile "$services/redis/log" >/dev/null
  for _ in $(seq 50); do
    if listens "$redis_port"; then return; fi
    sleep 0.1
  done
  fail 'Redis did not start'
}

# The same places that the specs look at.
find_browser() {
  [ -n "${CHROMIUM:-}" ] || command -v chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome >/dev/null
}

# The headless shell needs a third of the CPU time for a tab. Where it cannot be installed, Chromium will do.
have_browser() {
  if [ -z "${CHROMIUM:-}" ] && ! command -v chromium-headless-shell >/dev/null; then
    (install_package chromium-headless-shell 'The headless shell is missing') || true
  fi
  find_browser || install_package chromium 'There is no Chromium on the path, and CHROMIUM names none'
  find_browser || fail 'chromium was installed and is not on the path'
}

start_services() {
  services=$(mktemp -d)
  chmod 755 "$services"
  need_programs
  if [ -z "${DATABASE_URL:-}" ]; then start_postgres; fi
  if [ -z "${REDIS_URL:-}" ]; then listens "$redis_port" || start_redis; fi
  have_browser
}

stop_services() {
  if [ -n "$pg_folder" ] && [ -e "$pg_folder/data/postmaster.pid" ]; then
    as_postgres "$(pg_program pg_ctl)" -D "$pg_folder/data" -m immediate stop >/dev/null || true
  fi
  if [ -s "$services/redis/pid" ]; then kill "$(cat "$services/redis/pid")" || true; fi
  rm -rf "$services"
}
