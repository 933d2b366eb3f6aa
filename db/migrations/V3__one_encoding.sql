-- pool_key_public_key tells keys apart by their octets, so a key may have one encoding only: DER, with
-- the exponent 65537, or with the named curve and an uncompressed point. All keys of a kind then share
-- what comes before and after the modulus or the point, and two rows differ in these alone.
-- NOT VALID: a row of before that is otherwise must not keep the service from starting; it is
-- refused when it is claimed.
ALTER TABLE pool_key ADD CONSTRAINT pool_key_one_encoding CHECK (
    CASE key_spec
        WHEN 'RSA-2048' THEN length(public_key) = 33 + 256 + 5
            AND substring(public_key FOR 33) =
                '\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100'
            AND substring(public_key FROM 33 + 256 + 1) = '\x0203010001'
        WHEN 'RSA-3072' THEN length(public_key) = 33 + 384 + 5
            AND substring(public_key FOR 33) =
                '\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100'
            AND substring(public_key FROM 33 + 384 + 1) = '\x0203010001'
        WHEN 'RSA-4096' THEN length(public_key) = 33 + 512 + 5
            AND substring(public_key FOR 33) =
                '\x30820222300d06092a864886f70d01010105000382020f003082020a0282020100'
            AND substring(public_key FROM 33 + 512 + 1) = '\x0203010001'
        WHEN 'EC-P256' THEN length(public_key) = 27 + 64
            AND substring(public_key FOR 27) =
                '\x3059301306072a8648ce3d020106082a8648ce3d03010703420004'
        WHEN 'EC-P384' THEN length(public_key) = 24 + 96
            AND substring(public_key FOR 24) =
                '\x3076301006072a8648ce3d020106052b8104002203620004'
        ELSE false
    END) NOT VALID;
