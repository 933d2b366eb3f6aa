-- A key that was spent and that key_id does not name: another record names it, or the outcome could
-- not be written. No unique index, so that the failure can always be recorded.
ALTER TABLE sign_request ADD COLUMN withheld_key_id bigint;

-- Serves the look for used keys among claimed ones; nearly empty at any time.
CREATE INDEX sign_request_withheld_key
    ON sign_request (withheld_key_id) WHERE withheld_key_id IS NOT NULL;

COMMENT ON COLUMN sign_request.withheld_key_id IS
    'The pool row whose key was spent with nothing released, where key_id does not name it';
