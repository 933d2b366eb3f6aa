"""Uses a key manager with PyKMIP: pykmip_session.py PORT CA CERTIFICATE KEY. Prints what came."""

import sys

from kmip.core import enums
from kmip.pie.client import ProxyKmipClient
from kmip.pie.exceptions import KmipOperationFailure

PORT, CA, CERTIFICATE, KEY = sys.argv[1:]
Usage = enums.CryptographicUsageMask
CBC = {
    "block_cipher_mode": enums.BlockCipherMode.CBC,
    "padding_method": enums.PaddingMethod.PKCS5,
    "cryptographic_algorithm": enums.CryptographicAlgorithm.AES,
}
PKCS1 = {
    "padding_method": enums.PaddingMethod.PKCS1v15,
    "hashing_algorithm": enums.HashingAlgorithm.SHA_256,
    "cryptographic_algorithm": enums.CryptographicAlgorithm.RSA,
}

with ProxyKmipClient(
    hostname="127.0.0.1",
    port=int(PORT),
    ca=CA,
    cert=CERTIFICATE,
    key=KEY,
    ssl_version="PROTOCOL_TLSv1_2",
    kmip_version=enums.KMIPVersion.KMIP_1_4,
) as client:
    key = client.create(
        enums.CryptographicAlgorithm.AES,
        256,
        name="disk 7",
        cryptographic_usage_mask=[Usage.ENCRYPT, Usage.DECRYPT],
    )
    client.activate(key)
    print("AES key of", 8 * len(client.get(key).value), "bits")

    encrypted, nonce = client.encrypt(
        b"a block", uid=key, cryptographic_parameters={**CBC, "random_iv": True}
    )[:2]
    print(client.decrypt(encrypted, uid=key, cryptographic_parameters=CBC, iv_counter_nonce=nonce))

    public, private = client.create_key_pair(
        enums.CryptographicAlgorithm.RSA,
        2048,
        public_usage_mask=[Usage.VERIFY],
        private_usage_mask=[Usage.SIGN],
    )
    client.activate(private)
    client.activate(public)
    signature = client.sign(b"a text", uid=private, cryptographic_parameters=PKCS1)
    print(
        client.signature_verify(
            b"a text", signature, uid=public, cryptographic_parameters=PKCS1
        ).name
    )
    try:
        client.get(private)
    except KmipOperationFailure as e:
        print(e.reason.name)

    client.revoke(enums.RevocationReasonCode.CESSATION_OF_OPERATION, key)
    client.destroy(key)
    print("located", sorted(client.locate()) == sorted([private, public]))
