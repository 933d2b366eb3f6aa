-- Objects that clients of KMIP have created or registered; see docs/KMIP.md.
CREATE TABLE managed_object (
    id              uuid        PRIMARY KEY,
    number          bigint      GENERATED ALWAYS AS IDENTITY,
    owner           text        NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 1000),
    object_type     smallint    NOT NULL CHECK (object_type IN (1, 2, 3, 4, 7, 8)),
    state           smallint    NOT NULL CHECK (state BETWEEN 1 AND 6),
    wrapping_key_id text,
    material        bytea       CHECK (octet_length(material) BETWEEN 1 AND 65536),
    attributes      bytea       NOT NULL CHECK (octet_length(attributes) BETWEEN 8 AND 65536),
    search          bigint[]    NOT NULL,
    initial_date    timestamptz NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT material_until_destroyed CHECK ((material IS NULL) = (state IN (5, 6))),
    CONSTRAINT only_public_material_in_clear
        CHECK (material IS NULL OR wrapping_key_id IS NOT NULL OR object_type IN (1, 3))
);

-- A pair that a client manages has left the pool as one that signed has, but no record names it.
ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_move_check;
ALTER TABLE key_ledger ADD CONSTRAINT key_ledger_move_check CHECK (move IN (
    'generated', 'claimed', 'put-back', 'used', 'given', 'forfeited', 'discarded', 'corrected'));

-- To locate an object by its name is to look a number up, among the objects of all owners. Without
-- fastupdate, a search has no list of recent rows to read through.
CREATE INDEX managed_object_search ON managed_object USING gin (search) WITH (fastupdate = off);
CREATE INDEX managed_object_newest ON managed_object (owner, initial_date DESC, number DESC);

COMMENT ON COLUMN managed_object.number IS 'Orders objects of one second';
COMMENT ON COLUMN managed_object.owner IS 'Name of the caller; nobody else sees the object';
COMMENT ON COLUMN managed_object.object_type IS 'KMIP''s enumeration Object Type';
COMMENT ON COLUMN managed_object.state IS 'KMIP''s enumeration State';
COMMENT ON COLUMN managed_object.wrapping_key_id IS 'What the material is wrapped under; null if it is public';
COMMENT ON COLUMN managed_object.attributes IS 'TTLV';
COMMENT ON COLUMN managed_object.search IS 'Hashes of the values that clients locate objects by';

-- The text of an entry about a managed object, in the form of RFC 8785.
CREATE FUNCTION log_of_managed(
    instance text, caller text, object_type smallint, object uuid, operation text)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(clock_timestamp())
        || ',"caller":' || to_json(caller)
        || ',"instance":' || to_json(instance)
        || ',"object":"' || object
        || '","objectType":"' || CASE object_type
            WHEN 1 THEN 'Certificate' WHEN 2 THEN 'SymmetricKey' WHEN 3 THEN 'PublicKey'
            WHEN 4 THEN 'PrivateKey' WHEN 7 THEN 'SecretData' WHEN 8 THEN 'OpaqueObject' END
        || '","operation":' || to_json(operation)
        || ',"type":"managed-object","v":1}', 'UTF8')
$$;
