-- An append-only log of what happens to requests and keys: a Merkle tree as RFC 9162 has it. It is kept
-- as soon as log_tree has its row; see docs/LOG.md.

-- Entries wait here, written in the transactions that they tell of, until they get their place.
CREATE TABLE log_pending (
    seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry      bytea  NOT NULL CHECK (octet_length(entry) BETWEEN 1 AND 65535),
    request_id uuid
) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- At most one row. To extend the tree is to lock it, so that no two give one place to two entries.
CREATE TABLE log_tree (
    the_only        boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    origin          text    NOT NULL,
    size            bigint  NOT NULL CHECK (size >= 0),
    root            bytea   NOT NULL CHECK (octet_length(root) = 32),
    checkpoint_size bigint  CHECK (checkpoint_size <= size),
    checkpoint      bytea
) WITH (fillfactor = 50);

COMMENT ON COLUMN log_tree.checkpoint IS 'The signed note of the largest tree that was signed';

-- Rows are added and never changed.
CREATE TABLE log_entry (
    index      bigint PRIMARY KEY,
    leaf       bytea  NOT NULL CHECK (octet_length(leaf) = 32),
    entry      bytea  NOT NULL,
    request_id uuid
);

CREATE INDEX log_entry_request ON log_entry (request_id) WHERE request_id IS NOT NULL;

COMMENT ON COLUMN log_entry.leaf IS 'SHA-256 of a zero byte and the entry';
COMMENT ON COLUMN log_entry.request_id IS 'Whose end the entry tells of';

-- Each is the hash over a full tile of the level below; at level 1, over 256 leaves.
CREATE TABLE log_node (
    level smallint NOT NULL CHECK (level > 0),
    index bigint   NOT NULL,
    hash  bytea    NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (level, index)
);

-- The public keys that have signed checkpoints, as text (C2SP signed-note).
CREATE TABLE log_key (
    verifier_key text        PRIMARY KEY,
    since        timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Makes the commitment to the signer's reference that the log has: without it, nobody can tell whose it
-- is, so that the row can be erased.
ALTER TABLE sign_request ADD COLUMN signer_salt bytea;

CREATE FUNCTION log_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_json(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text
$$;

-- The text of an entry about keys, in the form of RFC 8785. to_json escapes as it demands.
CREATE FUNCTION log_of_keys(
    instance text, key_spec text, wrapping_key_id text, move text, keys bigint[])
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(clock_timestamp())
        || ',"instance":' || to_json(instance)
        || ',"keySpec":' || to_json(key_spec)
        || ',"keys":[' || array_to_string(keys, ',')
        || '],"move":' || to_json(move)
        || ',"type":"keys","v":1,"wrappingKey":' || to_json(wrapping_key_id) || '}', 'UTF8')
$$;

-- The entry about a request that was closed because its own outcome could not be recorded.
CREATE FUNCTION log_of_closed(r sign_request) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"caller":' || to_json(r.caller)
        || coalesce(',"certificateSerial":' || to_json(r.certificate_serial), '')
        || coalesce(',"certificateSha256":"' || encode(sha256(r.certificate), 'hex') || '"', '')
        || ',"failure":' || to_json(r.failure)
        || ',"finished":' || log_time(r.request_finished)
        || ',"instance":' || to_json(r.instance)
        || coalesce(',"keyId":' || coalesce(r.key_id, r.withheld_key_id), '')
        || coalesce(',"publicKeySha256":"' || encode(r.public_key_sha256, 'hex') || '"', '')
        || ',"received":' || log_time(r.request_received)
        || ',"request":"' || r.request_id || '","status":"failed","type":"request","v":1}', 'UTF8')
$$;

CREATE FUNCTION log_of_late_destruction(request_id uuid, return_value bigint, key_gone timestamptz)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(key_gone) || ',"destruction":' || return_value
        || ',"request":"' || request_id || '","type":"late-destruction","v":1}', 'UTF8')
$$;
