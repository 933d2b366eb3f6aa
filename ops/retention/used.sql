\set n random(1, :rows)
SELECT k.id FROM unnest(
  ARRAY(SELECT :n::bigint + :rows + i FROM generate_series(1, 100) i),
  ARRAY(SELECT sha256(((:n::bigint) * 1000 + i)::text::bytea) FROM generate_series(1, 100) i)) AS k (id, public_key)
WHERE EXISTS (SELECT FROM used_key u WHERE u.key_id = k.id OFFSET 0)
  OR EXISTS (SELECT FROM used_key u WHERE u.public_key_sha256 = sha256(k.public_key) OFFSET 0);
