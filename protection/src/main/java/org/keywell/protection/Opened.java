package org.keywell.protection;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A message whose protection holds. Whether it is meant for this queue ({@link Header#to}), new
 * ({@link Header#id}) and from somebody trusted is for the caller to decide.
 *
 * @param signer the certificate whose key signed the message, then those of the message that lead
 *     upwards from it; not validated; empty for {@link Quality#CONFIDENTIALITY}
 */
public record Opened(Content content, List<X509Certificate> signer) {

  /** Copies the certificates. */
  public Opened {
    signer = List.copyOf(signer);
  }
}
