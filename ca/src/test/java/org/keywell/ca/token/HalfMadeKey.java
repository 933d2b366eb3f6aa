package org.keywell.ca.token;

import java.nio.file.Path;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.Subject;

/** What a bootstrap leaves that is killed after it has stored a key and before its certificate. */
public final class HalfMadeKey {

  private HalfMadeKey() {}

  /** Makes one in the token that is in this slot. */
  public static void in(Provider token, Path module, long slotId, String label) {
    CaCertificates certificates = new CaCertificates(new SecureRandom(), Optional.empty());
    StoredKey _ =
        new CaKeyMaker(new TokenKeyStore(token))
            .make(
                label,
                CaKeySpec.EC_P256,
                key ->
                    List.of(
                        certificates.placeholder(
                            key, Subject.ofCommonName(label), InstantSource.system().instant())));
    new TokenObjects(module, slotId).destroyCertificate(label);
  }

  static void in(SoftHsm token, String label) {
    in(token.keys(), token.module(), token.slotId(), label);
  }
}
