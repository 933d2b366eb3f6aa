package org.keywell.keypool.hsm.pkcs11;

/**
 * What a token that is to receive a wrapping key shows of itself. Not secret; to be believed only
 * once its public key was compared by another way.
 *
 * @param tokenLabel tells people which token it is
 * @param tokenSerial the maker's serial number
 * @param publicKey of the transport pair, a DER {@code SubjectPublicKeyInfo}
 */
public record TransportRequest(String tokenLabel, String tokenSerial, byte[] publicKey) {}
