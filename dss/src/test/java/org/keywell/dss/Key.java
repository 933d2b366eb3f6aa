package org.keywell.dss;

import org.keywell.client.Signer;

/** The kinds of keys and schemes that documents are signed with here. */
enum Key {
  RSA("RSA-2048", "RSASSA-PKCS1-v1_5"),
  RSA_PSS("RSA-2048", "RSASSA-PSS"),
  EC("EC-P256", "ECDSA");

  private final String spec;
  private final String algorithm;

  Key(String spec, String algorithm) {
    this.spec = spec;
    this.algorithm = algorithm;
  }

  DocumentSignRequest.Builder request() {
    return DocumentSignRequest.by(Signer.named("Astrid Lindgren"))
        .keySpec(spec)
        .signatureAlgorithm(algorithm);
  }
}
