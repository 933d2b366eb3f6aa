-- Certificates that were revoked, and the lists that say so; see docs/REVOCATION.md.
CREATE TABLE revoked_certificate (
    issuer     text        NOT NULL CHECK (issuer ~ '^[0-9a-f]{40}$'),
    serial     numeric     NOT NULL CHECK (serial > 0),
    list       text        NOT NULL,
    revoked_at timestamptz NOT NULL,
    reason     smallint    NOT NULL CHECK (reason IN (0, 1, 3, 4, 5, 9)),
    revoked_by text        NOT NULL,
    PRIMARY KEY (issuer, serial)
);

CREATE INDEX revoked_certificate_list ON revoked_certificate (issuer, list);

COMMENT ON COLUMN revoked_certificate.issuer IS 'Identifier of the CA''s key, in hexadecimal digits';
COMMENT ON COLUMN revoked_certificate.list IS 'Name of the list that it is in: see published_list';
COMMENT ON COLUMN revoked_certificate.reason IS 'CRLReason of RFC 5280, section 5.3.1';

CREATE TABLE published_list (
    issuer      text        NOT NULL CHECK (issuer ~ '^[0-9a-f]{40}$'),
    name        text        NOT NULL,
    addresses   text[]      NOT NULL CHECK (cardinality(addresses) > 0),
    retires     timestamptz NOT NULL,
    revocations bigint      NOT NULL DEFAULT -1,
    number      bigint      NOT NULL DEFAULT 0,
    this_update timestamptz,
    next_update timestamptz,
    crl         bytea,
    PRIMARY KEY (issuer, name),
    CHECK ((crl IS NULL) = (number = 0)),
    CHECK ((crl IS NULL) = (this_update IS NULL)),
    CHECK ((crl IS NULL) = (next_update IS NULL))
);

COMMENT ON COLUMN published_list.name IS
    'A day (of notBefore, in UTC), ''services'' or ''authorities'': whose certificates it is about';
COMMENT ON COLUMN published_list.addresses IS 'As the certificates name the list';
COMMENT ON COLUMN published_list.retires IS 'When the last of its certificates has expired';
COMMENT ON COLUMN published_list.revocations IS 'How many are in it; -1: it has to be made again';
