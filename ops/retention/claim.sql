WITH taken AS (
  DELETE FROM pool_key WHERE id IN (
    SELECT id FROM pool_key WHERE key_spec = 'EC-P256' AND wrapping_key_id = 'w'
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING *)
INSERT INTO claimed_key (id, key_spec, wrapping_key_id, instance) SELECT id, key_spec, wrapping_key_id, 'a' FROM taken;
