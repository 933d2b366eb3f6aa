-- What proves that a token has the key of this row under its id, and no other; see docs/XKS.md. A key that was made
-- before this has nothing that proves it, and is refused.
ALTER TABLE xks_key ADD COLUMN key_check bytea NOT NULL DEFAULT '';
ALTER TABLE xks_key ALTER COLUMN key_check DROP DEFAULT;

COMMENT ON COLUMN xks_key.key_check IS 'An IV, and token_id encrypted under the key, bound to its name';
