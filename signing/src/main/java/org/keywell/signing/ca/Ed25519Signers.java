package org.keywell.signing.ca;

import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Ed25519Key;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ed25519 keys in the tokens of devices, which only the pool's own binding can use. */
public final class Ed25519Signers {

  private static final Logger log = LoggerFactory.getLogger(Ed25519Signers.class);

  private Ed25519Signers() {}

  /**
   * Opens a key, after it has signed for a proof.
   *
   * @return empty if the token has none with this label
   * @throws HsmException if it does not sign, or could leave the token
   */
  public static Optional<TokenSigner> find(OpenDevice device, String label) {
    return device
        .pkcs11()
        .ed25519Keys()
        .find(label)
        .map(key -> new TokenSigner(key.publicKey(), message -> sign(key, message)));
  }

  private static Optional<byte[]> sign(Ed25519Key key, byte[] message) {
    try {
      return Optional.of(key.sign(message));
    } catch (HsmException e) {
      log.debug("no Ed25519 signature", e);
      return Optional.empty();
    }
  }
}
