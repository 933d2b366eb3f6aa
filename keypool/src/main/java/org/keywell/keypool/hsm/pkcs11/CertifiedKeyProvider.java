package org.keywell.keypool.hsm.pkcs11;

import java.security.Key;
import java.security.Provider;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/** The JCA's view of {@link Pkcs11Hsm#certifiedKeys}. */
final class CertifiedKeyProvider extends Provider {
  private static final long serialVersionUID = 1;

  private final transient TokenSessions sessions;

  CertifiedKeyProvider(TokenSessions sessions, Brand brand) {
    super("KeywellToken", "1", "Keys that stay in a token, with their certificates");
    this.sessions = sessions;
    Mechanisms mechanisms = new Mechanisms(brand);
    Signing signing = new Signing(mechanisms);
    offer("KeyStore", "PKCS11", () -> new CertifiedKeyStore(sessions, signing));
    for (CertifiedKeyGenerator.Kind kind : CertifiedKeyGenerator.Kind.values()) {
      offer(
          "KeyPairGenerator",
          kind.name(),
          () -> new CertifiedKeyGenerator(kind, sessions, mechanisms, brand, signing));
    }
    for (DigestAlgorithm digest : DigestAlgorithm.values()) {
      String hash = digest.label().replace("-", "");
      offer(
          "Signature",
          hash + "withECDSA",
          () -> new CertifiedSignature(SignatureScheme.ECDSA, digest));
      offer(
          "Signature",
          hash + "withRSA",
          () -> new CertifiedSignature(SignatureScheme.RSASSA_PKCS1_V1_5, digest));
    }
  }

  long slotId() {
    return sessions.slotId();
  }

  private void offer(String type, String algorithm, Supplier<Object> maker) {
    putService(
        new Service(this, type, algorithm, type, List.of(), null) {
          @Override
          public Object newInstance(@Nullable Object parameter) {
            return maker.get();
          }

          @Override
          public boolean supportsParameter(@Nullable Object parameter) {
            return !(parameter instanceof Key) || parameter instanceof CertifiedKey;
          }
        });
  }
}
