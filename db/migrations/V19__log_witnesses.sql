-- What witnesses of the log have cosigned; see docs/LOG.md.

-- For each number of cosignatures, the largest checkpoint that has at least as many.
CREATE TABLE log_cosigned (
    cosignatures smallint PRIMARY KEY CHECK (cosignatures > 0),
    size         bigint   NOT NULL CHECK (size >= 0),
    checkpoint   bytea    NOT NULL
);

COMMENT ON COLUMN log_cosigned.checkpoint IS 'The signed note, with the cosignatures';

-- How far each witness has followed, so that it is sent the proof from there on.
CREATE TABLE log_witness (
    verifier_key text        PRIMARY KEY,
    size         bigint      NOT NULL CHECK (size >= 0),
    cosigned     timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- As a witness of others' logs: the tree of each that was cosigned last.
CREATE TABLE log_witnessed (
    origin   text        PRIMARY KEY,
    size     bigint      NOT NULL CHECK (size >= 0),
    root     bytea       NOT NULL CHECK (octet_length(root) = 32),
    cosigned timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- At most one row: when an instance last began to offer a checkpoint. The others then do not.
CREATE TABLE log_witness_round (
    the_only boolean     PRIMARY KEY DEFAULT true CHECK (the_only),
    begun    timestamptz NOT NULL
);
