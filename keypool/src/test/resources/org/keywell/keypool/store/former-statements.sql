-- The statements with which the version before moves keys, as it sends them to the server: they must
-- work on the newest schema, too. Exchanged when a version is released, not edited.
-- ADD
WITH stored AS (
  INSERT INTO pool_key
    (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
  VALUES (?, ?, ?, ?, ?) RETURNING id, key_spec, wrapping_key_id),
counted AS (
INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
  SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), 'generated', count(*) FROM stored GROUP BY 2, 3
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (instance, key_spec, wrapping_key_id, move) DO UPDATE SET keys = l.keys + excluded.keys)
SELECT id FROM stored

-- CLAIM
WITH oldest AS MATERIALIZED (
  SELECT id FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?
  ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED),
ledger AS (
  INSERT INTO claimed_key (id, key_spec, wrapping_key_id, instance, claim)
  SELECT id, ?, ?, ?, ? FROM oldest
  ON CONFLICT (id) DO NOTHING RETURNING id, key_spec, wrapping_key_id),
counted AS (
INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
  SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), 'claimed', count(*) FROM ledger GROUP BY 2, 3
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (instance, key_spec, wrapping_key_id, move) DO UPDATE SET keys = l.keys + excluded.keys),
gone AS (
  DELETE FROM pool_key WHERE id IN (SELECT id FROM oldest)
  RETURNING id, wrap_mechanism, public_key, wrapped_private_key,
    id IN (SELECT id FROM ledger) AS claimed)
SELECT id, wrap_mechanism, public_key, wrapped_private_key
FROM gone WHERE claimed ORDER BY id

-- PUT_BACK
WITH released AS (
  DELETE FROM claimed_key
  WHERE instance = ? AND id = ANY (?) AND claim IS NOT DISTINCT FROM coalesce(?::uuid, claim)
  RETURNING id, key_spec, wrapping_key_id),
counted AS (
INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
  SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), 'put-back', count(*) FROM released GROUP BY 2, 3
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (instance, key_spec, wrapping_key_id, move) DO UPDATE SET keys = l.keys + excluded.keys)
INSERT INTO pool_key
  (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
SELECT k.id, k.key_spec, k.wrapping_key_id, k.wrap_mechanism, k.public_key, k.wrapped
FROM unnest(?, ?, ?, ?, ?, ?)
  AS k (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped)
JOIN released USING (id)
ON CONFLICT DO NOTHING

-- SETTLE
WITH ended AS (
  DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?)
  RETURNING key_spec, wrapping_key_id)
INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
  SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), 'used', count(*) FROM ended GROUP BY 2, 3
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (instance, key_spec, wrapping_key_id, move) DO UPDATE SET keys = l.keys + excluded.keys

-- FORFEIT
WITH ended AS (
  DELETE FROM claimed_key WHERE instance = ? RETURNING key_spec, wrapping_key_id),
counted AS (
INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
  SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), 'forfeited', count(*) FROM ended GROUP BY 2, 3
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (instance, key_spec, wrapping_key_id, move) DO UPDATE SET keys = l.keys + excluded.keys),
freed AS (DELETE FROM key_reservation WHERE instance = ?)
SELECT count(*) FROM ended
