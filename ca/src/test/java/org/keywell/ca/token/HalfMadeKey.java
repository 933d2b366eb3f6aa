package org.keywell.ca.token;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.Subject;

/** What a bootstrap leaves that is killed after it has stored a key and before its certificate. */
public final class HalfMadeKey {

  private HalfMadeKey() {}

  /** Makes one. The process must be logged in. */
  public static boolean in(TokenAddress address, char[] pin, String label) {
    CaCertificates certificates = new CaCertificates(new SecureRandom(), Optional.empty());
    StoredKey _ =
        new CaKeyMaker(address, TokenKeyStore.open(Providers.using(address), pin))
            .make(
                label,
                CaKeySpec.EC_P256,
                key ->
                    List.of(
                        certificates.placeholder(
                            key, Subject.ofCommonName(label), InstantSource.system().instant())));
    new TokenObjects(address).destroyCertificate(label);
    return true;
  }
}
