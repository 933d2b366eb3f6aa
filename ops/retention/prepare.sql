SELECT add_sign_request_month('2025-01-01'), add_sign_request_month('2025-02-01');
INSERT INTO ca_chain VALUES ('\x01', ARRAY['\x02'::bytea]);
-- Certificates do not compress: of hashes, as long as one for EC P-256.
CREATE FUNCTION noise(seed bigint, length int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(string_agg(sha512((seed || '.' || n)::bytea), '') FROM 1 FOR length)
  FROM generate_series(1, (length + 63) / 64) n
$$;
