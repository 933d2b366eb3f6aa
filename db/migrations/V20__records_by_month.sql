-- Records in a partition for each month of their receipt, so that an old month can be moved away at
-- once. A partitioned table's unique indexes must contain what it is partitioned by: that a request
-- id and a key serve once is therefore held by two narrow tables that are not partitioned.
LOCK TABLE sign_request IN ACCESS EXCLUSIVE MODE;

-- Takes the table's row as its argument.
CREATE TEMPORARY TABLE kept_function ON COMMIT DROP AS
SELECT pg_get_functiondef('log_of_closed(sign_request)'::regprocedure) AS definition;
DROP FUNCTION log_of_closed(sign_request);
DROP VIEW thesis_sign_request, unused_certificate;

ALTER TABLE sign_request RENAME TO former_sign_request;
CREATE TABLE sign_request (
    LIKE former_sign_request INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS,
    FOREIGN KEY (ca_chain_id) REFERENCES ca_chain
) PARTITION BY RANGE (request_received);

-- What identifies the signer can be taken out of a record that ended.
ALTER TABLE sign_request
    ADD COLUMN erased timestamptz,
    DROP CONSTRAINT sign_request_check2,
    ADD CONSTRAINT sign_request_signed_check CHECK (status <> 'signed'
        OR (certificate IS NOT NULL OR erased IS NOT NULL)
        AND num_nulls(signature, certificate_serial, ca_chain_id, public_key_sha256,
                      pre_generated, destruction_return_value, request_start_to_process,
                      request_got_key_pair, signed, certified,
                      waiting_time_micros, process_time_micros) = 0);

COMMENT ON COLUMN sign_request.erased IS 'When the signer''s data was erased; the log tells of it';

-- For what no partition was made for. A month that has rows in here stays in here.
CREATE TABLE sign_request_other PARTITION OF sign_request DEFAULT;

-- Returns false if the month's records are in sign_request_other.
CREATE FUNCTION add_sign_request_month(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := 'sign_request_' || to_char(month, 'YYYY_MM');
BEGIN
    IF to_regclass(name) IS NULL THEN
        -- Each request leaves a dead row: a fifth of a table would be too many to be cleaned at once.
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF sign_request FOR VALUES FROM (%L) TO (%L) WITH (
                autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
                autovacuum_analyze_scale_factor = 0.01)',
            name, month::timestamp AT TIME ZONE 'UTC',
            (month + interval '1 month') AT TIME ZONE 'UTC');
    END IF;
    RETURN true;
EXCEPTION WHEN check_violation THEN
    RETURN false;
END $$;

-- The current month and as many after it. For the owner of the tables, at any time.
CREATE FUNCTION add_sign_request_months(ahead integer) RETURNS void LANGUAGE sql AS $$
    SELECT add_sign_request_month((date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
    FROM generate_series(0, ahead) AS n
$$;

-- Of the next two years' months.
CREATE FUNCTION sign_request_months_ahead() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT count(to_regclass('sign_request_' || to_char(
        date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month', 'YYYY_MM')))
    FROM generate_series(1, 24) AS n
$$;

-- Not for times that a wrong clock gave.
SELECT add_sign_request_month(month::date)
FROM (SELECT DISTINCT date_trunc('month', request_received AT TIME ZONE 'UTC') AS month
      FROM former_sign_request
      WHERE request_received BETWEEN now() - interval '10 years' AND now()) AS months;
SELECT add_sign_request_months(12);

INSERT INTO sign_request SELECT * FROM former_sign_request;

-- Of each request, when it was received: an id serves once, and its record is in that month. Goes with
-- the record.
CREATE TABLE known_request (
    request_id       uuid        NOT NULL,
    request_received timestamptz NOT NULL
);

INSERT INTO known_request SELECT request_id, request_received FROM former_sign_request;
ALTER TABLE known_request ADD PRIMARY KEY (request_id);

-- Of each key that a record names or has ever named, which one. Lasts: a key that comes back after
-- years is still known.
CREATE TABLE used_key (
    key_id            bigint,
    request_received  timestamptz NOT NULL,
    request_id        uuid        NOT NULL,
    public_key_sha256 bytea,
    CHECK (num_nonnulls(key_id, public_key_sha256) > 0)
);

COMMENT ON COLUMN used_key.key_id IS 'Null if the key was generated for the request';
COMMENT ON COLUMN used_key.public_key_sha256 IS 'Null if the key was not certified';

INSERT INTO used_key
SELECT key_id, request_received, request_id, public_key_sha256 FROM former_sign_request
WHERE key_id IS NOT NULL OR public_key_sha256 IS NOT NULL;
INSERT INTO used_key
SELECT DISTINCT ON (withheld_key_id) withheld_key_id, request_received, request_id, NULL::bytea
FROM former_sign_request w
WHERE withheld_key_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM former_sign_request s WHERE s.key_id = w.withheld_key_id)
ORDER BY withheld_key_id, request_received;

-- A key signs for one request, ever: two requests can neither name one pool row nor one public key.
CREATE UNIQUE INDEX used_key_id ON used_key (key_id) WHERE key_id IS NOT NULL;
CREATE UNIQUE INDEX used_key_public_key ON used_key (public_key_sha256)
    WHERE public_key_sha256 IS NOT NULL;

DROP TABLE former_sign_request;

-- In the order of their arrival: the pages that are written are those of the last few requests.
ALTER TABLE sign_request ADD PRIMARY KEY (request_received, request_id);
-- Serve those who compare records with the ledger.
CREATE INDEX sign_request_key ON sign_request (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX sign_request_withheld_key ON sign_request (withheld_key_id)
    WHERE withheld_key_id IS NOT NULL;
-- Serve the recovery; nearly empty at any time.
CREATE INDEX sign_request_in_flight ON sign_request (instance) WHERE status = 'received';
CREATE INDEX sign_request_open ON sign_request (instance) WHERE status = 'open';

DO $$
BEGIN
    EXECUTE (SELECT definition FROM kept_function);
END $$;

CREATE FUNCTION log_of_erased(request_id uuid, at timestamptz) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(at) || ',"request":"' || request_id || '","type":"erased","v":1}', 'UTF8')
$$;

CREATE FUNCTION log_of_archived(month text, records bigint, sha256 bytea, at timestamptz)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(
        '{"at":' || log_time(at) || ',"month":' || to_json(month) || ',"records":' || records
        || ',"sha256":"' || encode(sha256, 'hex') || '","type":"archived","v":1}', 'UTF8')
$$;

CREATE VIEW unused_certificate AS
SELECT certificate_serial, ca_chain_id, certificate, request_id, instance, caller, status, failure,
       certified, request_finished
FROM sign_request
WHERE certificate IS NOT NULL AND status IN ('failed', 'expired', 'cancelled');

COMMENT ON VIEW unused_certificate IS 'Certificates of keys that released no signature';

-- The thesis's own names (Table 3-2). Its statuses are "not used, received, signed, failed".
CREATE VIEW thesis_sign_request AS
SELECT request_id                                    AS "requestID",
       digest                                        AS "toBeSignedBytes",
       CASE WHEN status IN ('expired', 'cancelled') THEN 'failed'
            WHEN status = 'open' THEN 'received'
            ELSE status END                          AS "status",
       signature                                     AS "signatureBytes",
       request_received                              AS "requestReceivedTimeStamp",
       request_start_to_process                      AS "requestStartToprocessTimeStamp",
       request_finished                              AS "requestFinishedTimeStamp",
       certificate                                   AS "certificateBytes",
       (request_received AT TIME ZONE 'UTC')::date   AS "date",
       recorded_at                                   AS "timestamp",
       process_time_micros / 1000.0                  AS "processTime",
       request_got_key_pair                          AS "requestGetKeyPairTimeStamp",
       CASE WHEN pre_generated THEN 1 ELSE 0 END     AS "preGeneratedKeyPair",
       test_id                                       AS "TestID",
       waiting_time_micros / 1000.0                  AS "waitingTime"
FROM sign_request;

COMMENT ON VIEW thesis_sign_request IS 'Table 3-2 of the thesis; times in milliseconds';
