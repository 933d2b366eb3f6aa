package org.keywell.ca.token;

import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import javax.security.auth.DestroyFailedException;

/** Generates a key pair in the token and stores it once it has its certificate. */
final class CaKeyMaker {
  private final TokenKeyStore store;

  CaKeyMaker(TokenKeyStore store) {
    this.store = store;
  }

  /**
   * Generates the pair as session objects and moves it to the token with its certificates; if
   * anything fails before that, nothing remains.
   *
   * @return the key as it reads back from the token
   */
  StoredKey make(String label, CaKeySpec spec, Function<CaKey, List<X509Certificate>> certify) {
    KeyPair pair = spec.generate(store.provider());
    List<X509Certificate> chain;
    try {
      chain = certify.apply(new CaKey(pair.getPrivate(), pair.getPublic(), store.provider()));
      store.store(label, pair.getPrivate(), chain);
    } catch (RuntimeException e) {
      discard(pair.getPrivate(), e);
      throw e;
    }
    return store
        .find(label)
        .filter(stored -> stored.chain().equals(chain))
        .orElseThrow(() ->
            new CaTokenException(
                CaTokenException.Reason.FAILED,
                "CA key " + label + " does not read back as it was stored"));
  }

  private static void discard(PrivateKey key, RuntimeException why) {
    try {
      key.destroy();
    } catch (DestroyFailedException e) {
      why.addSuppressed(e);
    }
  }
}
