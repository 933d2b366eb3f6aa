package org.keywell.signing.request;

import java.util.Optional;
import org.keywell.ca.CaChain;
import org.keywell.ca.revocation.CrlShard;

/**
 * The certificate of a one-time key.
 *
 * @param certificate DER
 * @param serial in hexadecimal
 * @param chain the certificates above it, as of its issuance
 */
public record IssuedCertificate(byte[] certificate, String serial, CaChain chain) {

  /** Returns the list of revoked certificates that it names; empty if it names none of ours. */
  public Optional<CrlShard> list() {
    return CrlShard.namedBy(certificate);
  }
}
