-- The encodings that a stored public key may have, with those of ML-DSA (RFC 9881, section 4): the
-- octets before the key are the same for all keys of a kind, and nothing follows it. Rows from before
-- fit, or were kept as V3 says; they are not looked at again.
ALTER TABLE pool_key DROP CONSTRAINT pool_key_one_encoding;
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
        WHEN 'ML-DSA-44' THEN length(public_key) = 22 + 1312
            AND substring(public_key FOR 22) = '\x30820532300b06096086480165030403110382052100'
        WHEN 'ML-DSA-65' THEN length(public_key) = 22 + 1952
            AND substring(public_key FOR 22) = '\x308207b2300b0609608648016503040312038207a100'
        WHEN 'ML-DSA-87' THEN length(public_key) = 22 + 2592
            AND substring(public_key FOR 22) = '\x30820a32300b060960864801650304031303820a2100'
        ELSE false
    END) NOT VALID;
