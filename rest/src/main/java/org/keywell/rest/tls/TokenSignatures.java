package org.keywell.rest.tls;

import java.security.Provider;
import java.security.Security;
import java.security.SignatureSpi;
import java.util.List;
import java.util.Map;

/**
 * Leads Java's TLS to keys of a token: it asks all registered providers for one that takes the key
 * it has. This one takes {@link TokenPrivateKey} and nothing else, so no other signature is made
 * here. Java's own provider for PKCS #11 would serve the whole process, and keep using a lost
 * session.
 */
final class TokenSignatures extends Provider {

  private static final long serialVersionUID = 1;

  private static final String NAME = "KeywellToken";

  private TokenSignatures() {
    super(NAME, "1", "Signatures by keys that stay in a token");
    putService(
        new Service(
            this,
            "Signature",
            TokenSignature.ALGORITHM,
            TokenSignature.class.getName(),
            List.of(),
            Map.of("SupportedKeyClasses", TokenPrivateKey.class.getName())) {

          @Override
          public SignatureSpi newInstance(Object parameter) {
            return new TokenSignature();
          }
        });
  }

  /** Registers it for this process; again has no effect. */
  static void register() {
    int _ = Security.addProvider(new TokenSignatures());
  }
}
