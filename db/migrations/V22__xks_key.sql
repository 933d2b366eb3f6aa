-- Keys of the external key store; see docs/XKS.md. The keys themselves are in the token.
CREATE TABLE xks_key (
    name        text        PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9._-]{1,128}$'),
    token_id    bytea       NOT NULL UNIQUE CHECK (octet_length(token_id) = 16),
    can_encrypt boolean     NOT NULL,
    can_decrypt boolean     NOT NULL,
    state       text        NOT NULL CHECK (state IN ('enabled', 'disabled', 'destroyed')),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON COLUMN xks_key.name IS 'The externalKeyId; never given to another key';
COMMENT ON COLUMN xks_key.token_id IS 'CKA_ID of the key in the token';

-- The text of an entry about the use of such a key, in the form of RFC 8785. Empty texts are left out.
CREATE FUNCTION log_of_xks(
    instance text, caller text, key text, operation text, principal text, kms_key text,
    kms_operation text, kms_request text, refused text)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(clock_timestamp())
        || ',"caller":' || to_json(caller)
        || ',"instance":' || to_json(instance)
        || ',"key":' || to_json(key)
        || coalesce(',"kmsKey":' || to_json(nullif(kms_key, '')), '')
        || ',"kmsOperation":' || to_json(kms_operation)
        || ',"kmsRequest":' || to_json(kms_request)
        || ',"operation":' || to_json(operation)
        || coalesce(',"principal":' || to_json(nullif(principal, '')), '')
        || coalesce(',"refused":' || to_json(refused), '')
        || ',"type":"xks","v":1}', 'UTF8')
$$;
