-- Keys of the external key store that are being made: the id that the tokens have them under is noted before any token
-- does, and the row goes when xks_key has the key. What is here and not being made was left by a command that ended.
CREATE TABLE xks_key_intent (
    name     text        PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9._-]{1,128}$'),
    token_id bytea       NOT NULL UNIQUE CHECK (octet_length(token_id) = 16),
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
