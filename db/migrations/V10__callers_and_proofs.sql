-- Who asked for whom, and on what evidence. Requests from before have none of it.
ALTER TABLE sign_request
    ADD COLUMN signer_reference  text,
    ADD COLUMN profile           text,
    ADD COLUMN identity_provider text,
    ADD COLUMN proof_sha256      bytea;

COMMENT ON COLUMN sign_request.caller IS 'Name of the caller';
COMMENT ON COLUMN sign_request.signer_reference IS
    'The signer''s identifier, or name where there is none: of failed requests as well, which have no certificate';
COMMENT ON COLUMN sign_request.proof_sha256 IS
    'SHA-256 over the identity provider''s name and the id of its ticket; the ticket itself is kept nowhere';

-- Tickets of identity providers that have served a request: each serves one.
CREATE TABLE used_proof (
    proof_sha256 bytea       PRIMARY KEY,
    request_id   uuid        NOT NULL,
    usable_until timestamptz NOT NULL
);

CREATE INDEX used_proof_usable_until ON used_proof (usable_until);

COMMENT ON COLUMN used_proof.usable_until IS
    'From then on the ticket is refused as expired, and the row may go';
