package org.keywell.keypool.store;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.keypool.hsm.KeySpec;

/** Public keys as the JDK encodes them; one of each kind, since RSA keys take long to make. */
final class PublicKeys {

  private static final Map<KeySpec, byte[]> made = new EnumMap<>(KeySpec.class);

  private PublicKeys() {}

  /** A copy of the one key of its kind. */
  static synchronized byte[] of(KeySpec spec) {
    return made.computeIfAbsent(spec, PublicKeys::generate).clone();
  }

  private static byte[] generate(KeySpec spec) {
    try {
      KeyPairGenerator generator =
          switch (spec.algorithm()) {
            case RSA -> {
              KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
              rsa.initialize(spec.bits());
              yield rsa;
            }
            case EC -> {
              KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
              ec.initialize(new ECGenParameterSpec("secp" + spec.bits() + "r1"));
              yield ec;
            }
            case ML_DSA -> KeyPairGenerator.getInstance(spec.label());
          };
      return generator.generateKeyPair().getPublic().getEncoded();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
