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
