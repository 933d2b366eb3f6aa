-- What clients of the external key store said of a use: who is behind it, and by which request. The log has a
-- commitment to it, as to signers, so that it can be erased; see docs/LOG.md.
CREATE TABLE xks_use (
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    salt          bytea       NOT NULL CHECK (octet_length(salt) = 16),
    principal     text        NOT NULL,
    kms_key       text        NOT NULL,
    kms_operation text        NOT NULL,
    kms_request   text        NOT NULL
);

COMMENT ON COLUMN xks_use.salt IS 'Without it, nobody can tell what the log''s entry commits to';

-- No text has a NUL, so that none of them passes for two.
CREATE FUNCTION xks_client(
    salt bytea, principal text, kms_key text, kms_operation text, kms_request text)
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(salt
        || convert_to(principal, 'UTF8') || '\x00'::bytea || convert_to(kms_key, 'UTF8') || '\x00'::bytea
        || convert_to(kms_operation, 'UTF8') || '\x00'::bytea || convert_to(kms_request, 'UTF8'))
$$;

-- The entry about a use: what the operator has named, and the commitment to what the client said. Entries of
-- version 1 have that in clear: log_of_xks is left to instances that are not upgraded yet.
CREATE FUNCTION log_of_xks_use(
    instance text, caller text, key text, operation text, client bytea, refused text)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(clock_timestamp())
        || ',"caller":' || to_json(caller)
        || ',"client":"' || encode(client, 'hex')
        || '","instance":' || to_json(instance)
        || ',"key":' || to_json(key)
        || ',"operation":' || to_json(operation)
        || coalesce(',"refused":' || to_json(refused), '')
        || ',"type":"xks","v":2}', 'UTF8')
$$;
