-- The certificates above the leaf, as they were when a request was answered: a repeated request gets
-- the chain of its first answer even after the CA was renewed.
CREATE TABLE ca_chain (
    id           bytea   PRIMARY KEY,
    certificates bytea[] NOT NULL
);

COMMENT ON COLUMN ca_chain.id IS 'SHA-256 over the certificates, in order';

-- One row a request: the thesis's Table 3-2 and what an auditor needs besides.
CREATE TABLE sign_request (
    request_id               uuid        PRIMARY KEY,
    request_sha256           bytea       NOT NULL,
    status                   text        NOT NULL
        CHECK (status IN ('received', 'signed', 'failed', 'expired')),
    failure                  text,
    failure_detail           text,
    instance                 text        NOT NULL,
    caller                   text        NOT NULL,
    test_id                  text,
    pool_mode                text        NOT NULL CHECK (pool_mode IN ('pooled', 'on-the-fly')),
    digest_algorithm         text        NOT NULL,
    digest                   bytea       NOT NULL,
    signature_algorithm      text        NOT NULL,
    key_spec                 text        NOT NULL,
    signature                bytea,
    certificate              bytea,
    certificate_serial       text,
    ca_chain_id              bytea       REFERENCES ca_chain,
    key_id                   bigint,
    wrapping_key_id          text,
    public_key_sha256        bytea,
    pre_generated            boolean,
    destruction_return_value bigint,
    request_received         timestamptz NOT NULL,
    request_start_to_process timestamptz,
    request_got_key_pair     timestamptz,
    signed                   timestamptz,
    certified                timestamptz,
    key_destroyed            timestamptz,
    request_finished         timestamptz,
    waiting_time_micros      bigint,
    process_time_micros      bigint,
    recorded_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK ((status = 'received') = (request_finished IS NULL)),
    CHECK ((status = 'failed') = (failure IS NOT NULL)),
    CHECK (status <> 'signed'
        OR num_nulls(signature, certificate, certificate_serial, ca_chain_id, public_key_sha256,
                     pre_generated, destruction_return_value, request_start_to_process,
                     request_got_key_pair, signed, certified,
                     waiting_time_micros, process_time_micros) = 0),
    CHECK (pre_generated IS DISTINCT FROM true OR num_nulls(key_id, wrapping_key_id) = 0)
);

-- A key signs for one request, ever: two requests can neither name one pool row nor one public key.
CREATE UNIQUE INDEX sign_request_key ON sign_request (key_id) WHERE key_id IS NOT NULL;
CREATE UNIQUE INDEX sign_request_public_key
    ON sign_request (public_key_sha256) WHERE public_key_sha256 IS NOT NULL;

-- Serves the recovery at the start; nearly empty at any time.
CREATE INDEX sign_request_in_flight ON sign_request (instance) WHERE status = 'received';

COMMENT ON COLUMN sign_request.request_sha256 IS
    'Fingerprint of the request: the same id with another content is refused';
COMMENT ON COLUMN sign_request.failure IS 'Last part of the problem type that the caller was answered with';
COMMENT ON COLUMN sign_request.destruction_return_value IS 'CK_RV of C_DestroyObject; 0 is CKR_OK';
COMMENT ON COLUMN sign_request.key_destroyed IS
    'Null if the HSM did not destroy the key: it is an orphan then, and tried again';
COMMENT ON COLUMN sign_request.waiting_time_micros IS 'request_start_to_process - request_received';
COMMENT ON COLUMN sign_request.process_time_micros IS 'request_finished - request_start_to_process';

-- The thesis's own names (Table 3-2). Its statuses are "not used, received, signed, failed".
CREATE VIEW thesis_sign_request AS
SELECT request_id                                    AS "requestID",
       digest                                        AS "toBeSignedBytes",
       CASE status WHEN 'expired' THEN 'failed' ELSE status END AS "status",
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
