package org.keywell.keypool.hsm.pkcs11;

/**
 * The data with which a token asks for a wrapping key. Not secret; trust it only after comparing
 * its public key over another channel.
 *
 * @param tokenLabel tells people which token it is
 * @param tokenSerial the maker's serial number
 * @param publicKey of the transport pair, a DER {@code SubjectPublicKeyInfo}
 */
public record TransportRequest(String tokenLabel, String tokenSerial, byte[] publicKey) {}
