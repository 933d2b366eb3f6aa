#!/usr/bin/env bash
# Measures what a database with many records costs: ./ops/retention.sh [ROWS], for a superuser of an
# empty PostgreSQL that psql finds by its variables (PGHOST, PGPORT, PGUSER). Fills a database of its
# own, keywell_retention, with synthetic records of two months, and drops it in the end. Ten million
# rows take 12 GiB beside the write-ahead log, and a quarter of an hour.
set -euo pipefail

rows=${1:-10000000}
here=$(cd "$(dirname "$0")/.." && pwd -P)
scripts=$here/ops/retention
database=keywell_retention
per_batch=200000

sql() { psql -qAtX -v ON_ERROR_STOP=1 -d "$database" "$@"; }

# timed NAME SQL: tells how long it takes.
timed() {
  local start end
  start=$(date +%s%N)
  sql -c "$2" >/dev/null
  end=$(date +%s%N)
  printf '%-46s %10.1f ms\n' "$1" "$(bc <<<"scale=1; ($end - $start) / 1000000")"
}

# bench SCRIPT OPTIONS...: on one connection, with prepared statements.
bench() { pgbench -n -M prepared -D "rows=$rows" -f "$scripts/$1.sql" "${@:2}" "$database" 2>/dev/null; }

# per_call NAME SCRIPT OPTIONS...: the mean.
per_call() { printf '%-46s %s\n' "$1" "$(bench "${@:2}" | sed -n 's/^latency average = //p')"; }

mkdir -p "$here/target"
work=$(mktemp -d "$here/target/retention.XXXXXX")
psql -qX -d postgres -c "DROP DATABASE IF EXISTS $database" -c "CREATE DATABASE $database"
trap 'psql -qX -d postgres -c "DROP DATABASE IF EXISTS $database WITH (FORCE)"; rm -rf "$work"' EXIT

printf '%s\n' "$here"/db/migrations/V*.sql | sort -V | while read -r migration; do
  sql -1 -f "$migration" >/dev/null
done
sql -f "$scripts/prepare.sql" >/dev/null

echo "records: $rows"
start=$(date +%s)
for ((n = 1; n <= rows; n += per_batch)); do
  began=$(date +%s%N)
  sql -v "rows=$rows" -v "from=$n" -v "to=$((n + per_batch - 1))" -f "$scripts/fill.sql"
  if ((n == 1 || n + per_batch > rows)); then
    printf '%-46s %10.0f rows/s\n' "insert, from row $n on" \
      "$(bc <<<"$per_batch * 1000000000 / ($(date +%s%N) - $began)")"
  fi
done
printf '%-46s %10d rows/s\n' "insert, mean" $((rows / ($(date +%s) - start)))
timed "vacuum and analyze" "VACUUM ANALYZE sign_request, known_request, used_key"

sql -F ' ' -c "
  SELECT rpad(name, 34), rpad(round(heap / n) || ' B of table,', 18), round(indexes / n) || ' B of indexes a row'
  FROM (VALUES ('sign_request', (SELECT sum(pg_table_size(relid)) FROM pg_partition_tree('sign_request') WHERE isleaf),
                (SELECT sum(pg_indexes_size(relid)) FROM pg_partition_tree('sign_request') WHERE isleaf)),
               ('known_request', pg_table_size('known_request'), pg_indexes_size('known_request')),
               ('used_key', pg_table_size('used_key'), pg_indexes_size('used_key'))) AS t (name, heap, indexes),
       (SELECT $rows::numeric AS n) AS rows"
sql -c "SELECT rpad('database', 47) || pg_size_pretty(pg_database_size(current_database()))"

per_call "lookup of a record by its id" lookup -T 10
per_call "100 keys looked up as used" used -T 10
PGOPTIONS='-c plan_cache_mode=force_generic_plan' per_call "a record: receipt and end, two commits" sign -T 10

sql -c "INSERT INTO pool_key (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
  SELECT 'EC-P256', 'w', 'AES-KWP',
    decode('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex') || noise(n, 64), noise(n, 160)
  FROM generate_series(1, 100000) n"
per_call "claim of 100 of 100,000 keys" claim -t 50

timed "count of a month's records ($((rows * 31 / 45)))" \
  "SELECT count(*) FROM sign_request WHERE request_received < '2025-02-01 00:00Z'"
timed "ids of the month forgotten" "DELETE FROM known_request WHERE request_received < '2025-02-01 00:00Z'"
timed "the month's keys counted" \
  "SELECT count(coalesce(key_id, withheld_key_id)) FROM sign_request WHERE request_received < '2025-02-01 00:00Z'"
# What those who sign meanwhile notice of it.
PGOPTIONS='-c plan_cache_mode=force_generic_plan' bench sign -R 50 -T 20 -l --log-prefix="$work/meanwhile" >/dev/null &
sleep 10
timed "the month's partition dropped" "DROP TABLE sign_request_2025_01"
wait $!
printf '%-46s %10.1f ms\n' "longest record at 50/s meanwhile" \
  "$(awk '$3 > most { most = $3 } END { print most / 1000 }' "$work"/meanwhile*)"
