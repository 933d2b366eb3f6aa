package org.keywell.signing.request;

import org.keywell.ca.CaChain;

/**
 * The certificate of a one-time key.
 *
 * @param certificate DER
 * @param serial in hexadecimal
 * @param chain the certificates above it, as of its issuance
 */
public record IssuedCertificate(byte[] certificate, String serial, CaChain chain) {}
