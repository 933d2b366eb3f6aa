-- Records as an instance would have written them, two thirds of them in January.
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
    encode(noise(n, 16), 'hex'), '\x01', n, 'a-wrapping-key', sha256(('k' || n)::bytea), true, 0,
    at, at, at, at, at, at, 1000, 2000, '19' || n, noise(n, 16), 'standard'
  FROM (SELECT n, '2025-01-01 00:00Z'::timestamptz
          + n * (interval '45 days' / :rows) AS at FROM generate_series(:from::bigint, :to::bigint) n) AS times
  RETURNING request_id, request_received, key_id, public_key_sha256),
known AS (
  INSERT INTO known_request SELECT request_id, request_received FROM record)
INSERT INTO used_key SELECT key_id, request_received, request_id, public_key_sha256 FROM record;
