#!/usr/bin/env bash
# Measures what a database with many records costs: ./ops/retention.sh [ROWS], for a superuser of an
# empty PostgreSQL that psql finds by its variables (PGHOST, PGPORT, PGUSER). Fills a database of its
# own, keywell_retention, with synthetic records of two months, and drops it in the end. Ten million
# rows take 12 GiB beside the write-ahead log, and half an hour.
set -euo pipefail

rows=${1:-10000000}
here=$(cd "$(dirname "$0")/.." && pwd -P)
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

# per_call NAME SCRIPT: the mean over ten seconds on one connection, with prepared statements.
per_call() {
  printf '%-46s %s\n' "$1" \
    "$(pgbench -n -M prepared -T 10 -f "$2" "$database" 2>/dev/null | sed -n 's/^latency average = //p')"
}

mkdir -p "$here/target"
work=$(mktemp -d "$here/target/retention.XXXXXX")
psql -qX -d postgres -c "DROP DATABASE IF EXISTS $database" -c "CREATE DATABASE $database"
trap 'psql -qX -d postgres -c "DROP DATABASE IF EXISTS $database WITH (FORCE)"; rm -rf "$work"' EXIT

printf '%s\n' "$here"/db/migrations/V*.sql | sort -V | while read -r migration; do
  sql -1 -f "$migration" >/dev/null
done
sql <<'SQL' >/dev/null
SELECT add_sign_request_month('2025-01-01'), add_sign_request_month('2025-02-01');
INSERT INTO ca_chain VALUES ('\x01', ARRAY['\x02'::bytea]);
-- Certificates do not compress: of hashes, as long as one for EC P-256.
CREATE FUNCTION noise(seed bigint, length int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(string_agg(sha512((seed || '.' || n)::bytea), '') FROM 1 FOR length)
  FROM generate_series(1, (length + 63) / 64) n
$$;
SQL

fill() { # FROM TO: as an instance would have written them, two thirds of them in January.
  sql -c "
    WITH record AS (
      INSERT INTO sign_request (
        request_id, request_received, request_sha256, status, instance, caller, pool_mode,
        digest_algorithm, digest, signature_algorithm, key_spec, signature, certificate,
        certificate_serial, ca_chain_id, key_id, wrapping_key_id, public_key_sha256, pre_generated,
        destruction_return_value, request_start_to_process, request_got_key_pair, signed, certified,
        key_destroyed, request_finished, waiting_time_micros, process_time_micros,
        signer_reference, signer_salt, profile)
      SELECT md5(n::text)::uuid, at, sha256(n::text::bytea), 'signed', 'instance-1', 'caller', 'pooled',
        'SHA-256', sha256(('d' || n)::bytea), 'ECDSA', 'EC-P256', noise(n, 71), noise(-n, 392),
        encode(noise(n, 16), 'hex'), '\\x01', n, 'a-wrapping-key', sha256(('k' || n)::bytea), true, 0,
        at, at, at, at, at, at, 1000, 2000, '19' || n, noise(n, 16), 'standard'
      FROM (SELECT n, '2025-01-01 00:00Z'::timestamptz
              + n * (interval '45 days' / $rows) AS at FROM generate_series($1, $2) n) AS times
      RETURNING request_id, request_received, key_id, public_key_sha256),
    known AS (
      INSERT INTO known_request SELECT request_id, request_received FROM record)
    INSERT INTO used_key SELECT key_id, request_received, request_id, public_key_sha256 FROM record"
}

echo "records: $rows"
start=$(date +%s)
for ((n = 1; n <= rows; n += per_batch)); do
  began=$(date +%s%N)
  fill "$n" $((n + per_batch - 1))
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

cat >"$work/lookup.sql" <<SQL
\\set n random(1, $rows)
SELECT s.*, c.certificates, l.key_gone FROM sign_request s
LEFT JOIN ca_chain c ON c.id = s.ca_chain_id
LEFT JOIN late_destruction l ON l.request_id = s.request_id
WHERE s.request_id = md5((:n)::text)::uuid AND s.request_received =
  (SELECT k.request_received FROM known_request k WHERE k.request_id = md5((:n)::text)::uuid);
SQL
cat >"$work/used.sql" <<SQL
\\set n random(1, $rows)
SELECT k.id FROM unnest(
  ARRAY(SELECT :n::bigint + $rows + i FROM generate_series(1, 100) i),
  ARRAY(SELECT sha256(((:n::bigint) * 1000 + i)::text::bytea) FROM generate_series(1, 100) i)) AS k (id, public_key)
WHERE EXISTS (SELECT FROM used_key u WHERE u.key_id = k.id OFFSET 0)
  OR EXISTS (SELECT FROM used_key u WHERE u.public_key_sha256 = sha256(k.public_key) OFFSET 0);
SQL
cat >"$work/sign.sql" <<'SQL'
SELECT clock_timestamp() AS t, (extract(epoch from clock_timestamp()) * 1e6)::bigint AS n \gset
BEGIN;
WITH known AS (
  INSERT INTO known_request VALUES (md5(:n::text)::uuid, :t::timestamptz) ON CONFLICT DO NOTHING RETURNING *)
INSERT INTO sign_request (request_id, request_received, request_sha256, status, instance, caller,
  pool_mode, digest_algorithm, digest, signature_algorithm, key_spec)
SELECT request_id, request_received, '', 'received', 'a', 'c', 'pooled', 'SHA-256', sha256('d'), 'ECDSA', 'EC-P256'
FROM known;
COMMIT;
BEGIN;
UPDATE sign_request SET status = 'signed', signature = noise(:n::bigint, 71), certificate = noise(-:n::bigint, 392),
  certificate_serial = 's', ca_chain_id = '\x01', key_id = :n::bigint, wrapping_key_id = 'w',
  public_key_sha256 = sha256(:n::text::bytea), pre_generated = true, destruction_return_value = 0,
  request_start_to_process = :t::timestamptz, request_got_key_pair = :t::timestamptz,
  signed = :t::timestamptz, certified = :t::timestamptz, key_destroyed = :t::timestamptz,
  request_finished = :t::timestamptz, waiting_time_micros = 1, process_time_micros = 2
WHERE request_id = md5(:n::text)::uuid AND request_received = :t::timestamptz AND status IN ('received', 'open');
INSERT INTO used_key VALUES (:n::bigint, :t::timestamptz, md5(:n::text)::uuid, sha256(:n::text::bytea));
COMMIT;
SQL
per_call "lookup of a record by its id" "$work/lookup.sql"
per_call "100 keys looked up as used" "$work/used.sql"
PGOPTIONS='-c plan_cache_mode=force_generic_plan' per_call "a record: receipt and end, two commits" "$work/sign.sql"

sql -c "INSERT INTO pool_key (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
  SELECT 'EC-P256', 'w', 'AES-KWP',
    decode('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex') || noise(n, 64), noise(n, 160)
  FROM generate_series(1, 100000) n" 
cat >"$work/claim.sql" <<'SQL'
WITH taken AS (
  DELETE FROM pool_key WHERE id IN (
    SELECT id FROM pool_key WHERE key_spec = 'EC-P256' AND wrapping_key_id = 'w'
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING *)
INSERT INTO claimed_key (id, key_spec, wrapping_key_id, instance) SELECT id, key_spec, wrapping_key_id, 'a' FROM taken;
SQL
printf '%-46s %s\n' "claim of 100 of 100,000 keys" \
  "$(pgbench -n -M prepared -t 50 -f "$work/claim.sql" "$database" 2>/dev/null | sed -n 's/^latency average = //p')"

timed "count of a month's records ($((rows * 31 / 45)))" \
  "SELECT count(*) FROM sign_request WHERE request_received < '2025-02-01 00:00Z'"
timed "ids of the month forgotten" "DELETE FROM known_request WHERE request_received < '2025-02-01 00:00Z'"
timed "the month's keys counted" \
  "SELECT count(coalesce(key_id, withheld_key_id)) FROM sign_request WHERE request_received < '2025-02-01 00:00Z'"
# What those who sign meanwhile notice of it.
PGOPTIONS='-c plan_cache_mode=force_generic_plan' pgbench -n -M prepared -R 50 -T 20 -l \
  --log-prefix="$work/meanwhile" -f "$work/sign.sql" "$database" >/dev/null 2>&1 &
sleep 10
timed "the month's partition dropped" "DROP TABLE sign_request_2025_01"
wait $!
printf '%-46s %10.1f ms\n' "longest record at 50/s meanwhile" \
  "$(awk '$3 > most { most = $3 } END { print most / 1000 }' "$work"/meanwhile*)"
