package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** The JDK's provider on the same module and token, in whatever order the two come and go. */
@Tag("softhsm")
final class SunPkcs11CoexistenceTest {
  private static final byte[] MESSAGE = "both".getBytes(StandardCharsets.UTF_8);

  private final SoftHsmToken token = SoftHsmToken.create();

  private Provider sunPkcs11(long slotId) throws Exception {
    Provider provider =
        Security.getProvider("SunPKCS11")
            .configure(
                "--name=keywell-%d%nlibrary=%s%nslot=%d%n"
                    .formatted(slotId, token.config().module(), slotId));
    KeyStore.getInstance("PKCS11", provider).load(null, token.pinCharacters());
    return provider;
  }

  private static boolean signsAndVerifies(Provider provider, KeyPair pair) throws Exception {
    Signature signer = Signature.getInstance("SHA256withRSA", provider);
    signer.initSign(pair.getPrivate());
    signer.update(MESSAGE);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance("SHA256withRSA", provider);
    verifier.initVerify(pair.getPublic());
    verifier.update(MESSAGE);
    return verifier.verify(signature);
  }

  private static void cycle(Pkcs11Hsm hsm) {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);
    KeyHandle key = hsm.unwrap(wrapped);
    hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
  }

  @Test
  void bothWorkAndTheProviderSurvivesAClose() throws Exception {
    Pkcs11Hsm hsm = token.open();
    Provider provider = sunPkcs11(hsm.slotId());
    KeyPair pair = KeyPairGenerator.getInstance("RSA", provider).generateKeyPair();

    cycle(hsm);
    assertThat(signsAndVerifies(provider, pair)).isTrue();
    cycle(hsm);

    hsm.close();
    assertThat(signsAndVerifies(provider, pair)).isTrue();

    try (Pkcs11Hsm again = token.open()) {
      cycle(again);
      assertThat(signsAndVerifies(provider, pair)).isTrue();
    }
  }
}
