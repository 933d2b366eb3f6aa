-- The statements with which the version before moved keys, as that version sent them to the server: what
-- V6__key_ledger.sql has to count for them. Not to be edited.
-- ADD
INSERT INTO pool_key (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
VALUES (?, ?, ?, ?, ?) RETURNING id
-- CLAIM
WITH oldest AS MATERIALIZED (
  SELECT id FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?
  ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED),
ledger AS (
  INSERT INTO claimed_key (id, key_spec, instance) SELECT id, ?, ? FROM oldest
  ON CONFLICT (id) DO NOTHING RETURNING id),
gone AS (
  DELETE FROM pool_key WHERE id IN (SELECT id FROM oldest)
  RETURNING id, wrap_mechanism, public_key, wrapped_private_key,
    id IN (SELECT id FROM ledger) AS claimed)
SELECT id, wrap_mechanism, public_key, wrapped_private_key
FROM gone WHERE claimed ORDER BY id
-- PUT_BACK
WITH released AS (
  DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?) RETURNING id)
INSERT INTO pool_key
  (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
SELECT k.id, k.key_spec, k.wrapping_key_id, k.wrap_mechanism, k.public_key, k.wrapped
FROM unnest(?, ?, ?, ?, ?, ?)
  AS k (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped)
JOIN released USING (id)
ON CONFLICT DO NOTHING
-- SETTLE
DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?)
-- FORFEIT
DELETE FROM claimed_key WHERE instance = ?
