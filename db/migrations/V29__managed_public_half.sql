-- What proves the signatures of a private key that was made with its public half; see docs/KMIP.md. Its owner may
-- destroy the public key, or change the link to it, so this is kept with the private one.
ALTER TABLE managed_object ADD COLUMN public_half bytea
    CHECK (public_half IS NULL OR (object_type = 4 AND octet_length(public_half) BETWEEN 1 AND 1024));

COMMENT ON COLUMN managed_object.public_half IS
    'SubjectPublicKeyInfo of a private key; null if not known: registered, or made before this column';
