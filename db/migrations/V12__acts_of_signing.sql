-- A row is one act of signing: one key, one signer, one certificate, one or more digests. In two calls
-- the certificate comes before the digests.
ALTER TABLE sign_request
    ADD COLUMN digests           bytea[],
    ADD COLUMN signatures        bytea[],
    ADD COLUMN container         text,
    ADD COLUMN signed_attributes bytea[],
    ADD COLUMN act_digests       integer,
    ADD COLUMN act_opened        timestamptz,
    ADD COLUMN act_expires       timestamptz,
    ADD COLUMN act_sign_received timestamptz,
    ALTER COLUMN digest DROP NOT NULL,
    DROP CONSTRAINT sign_request_status_check,
    DROP CONSTRAINT sign_request_check;

-- Not checked against the rows that are there: they kept the constraints that these replace.
ALTER TABLE sign_request
    ADD CONSTRAINT sign_request_status_check
        CHECK (status IN ('received', 'open', 'signed', 'failed', 'expired', 'cancelled')) NOT VALID,
    ADD CONSTRAINT sign_request_finished_check
        CHECK ((status IN ('received', 'open')) = (request_finished IS NULL)) NOT VALID,
    ADD CONSTRAINT sign_request_digest_check
        CHECK (digest IS NOT NULL OR (act_digests IS NOT NULL AND status <> 'signed')) NOT VALID,
    ADD CONSTRAINT sign_request_act_check
        CHECK (act_digests IS NOT NULL OR status NOT IN ('open', 'cancelled')) NOT VALID,
    ADD CONSTRAINT sign_request_open_check
        CHECK (status <> 'open'
            OR num_nulls(certificate, certificate_serial, ca_chain_id, public_key_sha256,
                         pre_generated, certified, act_opened, act_expires) = 0) NOT VALID;

-- Serves the recovery, with the index over those that were received; nearly empty at any time.
CREATE INDEX sign_request_open ON sign_request (instance) WHERE status = 'open';

COMMENT ON COLUMN sign_request.digest IS 'The first one; null while an act in two calls has none';
COMMENT ON COLUMN sign_request.digests IS 'All of them, in their order; null where there is one';
COMMENT ON COLUMN sign_request.signature IS 'The first one';
COMMENT ON COLUMN sign_request.signatures IS 'All of them, in the order of digests; null where there is one';
COMMENT ON COLUMN sign_request.container IS 'What the signatures were put into, such as CAdES-BASELINE-B';
COMMENT ON COLUMN sign_request.signed_attributes IS
    'What was signed in place of each digest, DER (RFC 5652, section 5.4); null where the digests were';
COMMENT ON COLUMN sign_request.act_digests IS 'In two calls: how many digests were stated; null in one call';
COMMENT ON COLUMN sign_request.act_opened IS 'In two calls: when the key was certified and the act stood open';
COMMENT ON COLUMN sign_request.act_expires IS 'In two calls: when its key is destroyed if it has not signed';
COMMENT ON COLUMN sign_request.act_sign_received IS 'In two calls: when the digests came';

-- Certificates under which no signature was released, to be revoked once there is revocation.
CREATE VIEW unused_certificate AS
SELECT certificate_serial, ca_chain_id, certificate, request_id, instance, caller, status, failure,
       certified, request_finished
FROM sign_request
WHERE certificate IS NOT NULL AND status IN ('failed', 'expired', 'cancelled');

COMMENT ON VIEW unused_certificate IS 'Certificates of keys that released no signature';

CREATE OR REPLACE VIEW thesis_sign_request AS
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
