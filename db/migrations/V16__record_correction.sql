-- Each key that the ledger counts as used is named by a record that was written in the same
-- transaction. So used = records that name a key and are not open + corrected.

-- Records that sign_request does not have any more, or that name keys that were never used: of
-- acts that an instance left open when it ended, and from before the ledger.
CREATE TABLE record_correction (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    corrected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    records      bigint      NOT NULL,
    reason       text        NOT NULL
);

COMMENT ON COLUMN record_correction.records IS
    'Records that name a key: moved away if positive, of keys that were not used if negative';

INSERT INTO record_correction (records, reason)
SELECT records, 'before records were compared with the ledger'
FROM (
    SELECT (SELECT coalesce(sum(keys), 0) FROM key_ledger WHERE move = 'used')
        - (SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL)
        - (SELECT count(*) FROM sign_request WHERE withheld_key_id IS NOT NULL)
        + (SELECT count(*) FROM sign_request WHERE status = 'open') AS records) AS base
WHERE records <> 0;
