-- Keys of requests that were gone only after another attempt than the one that the request's record
-- tells of. Rows are added, and neither changed nor removed: that a first attempt failed is evidence
-- as well. No foreign key, so that old requests can be moved away.
CREATE TABLE late_destruction (
    request_id        uuid        PRIMARY KEY,
    late_return_value bigint      NOT NULL,
    key_gone          timestamptz NOT NULL,
    recorded_at       timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON TABLE late_destruction IS
    'Ends of keys whose destruction_return_value is not 0; without a row a key ended with its session';
COMMENT ON COLUMN late_destruction.late_return_value IS
    'CK_RV of the last C_DestroyObject; 0 is CKR_OK, -2: the key had died with its sessions';
COMMENT ON COLUMN late_destruction.key_gone IS 'When that was known';

COMMENT ON COLUMN sign_request.key_destroyed IS
    'Null if the HSM did not destroy the key when told to first: late_destruction tells when it was gone';
