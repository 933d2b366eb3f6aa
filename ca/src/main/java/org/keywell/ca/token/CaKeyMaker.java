package org.keywell.ca.token;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;

/** Generates a key pair in the token and stores it once it has its certificate. */
final class CaKeyMaker {
  private final TokenAddress address;
  private final TokenKeyStore store;

  CaKeyMaker(TokenAddress address, TokenKeyStore store) {
    this.address = address;
    this.store = store;
  }

  /**
   * Generates the pair as session objects and copies it to the token with its certificates; if
   * anything fails before that, nothing remains.
   *
   * @return the key as it reads back from the token
   */
  StoredKey make(String label, CaKeySpec spec, Function<CaKey, List<X509Certificate>> certify) {
    TokenKeyStore generating = TokenKeyStore.openLoggedIn(Providers.generating(address, label));
    KeyPair pair = Providers.keep(spec.generate(generating.provider()));
    List<X509Certificate> chain =
        certify.apply(new CaKey(pair.getPrivate(), pair.getPublic(), generating.provider()));
    generating.store(label, pair.getPrivate(), chain);
    return store
        .find(label)
        .filter(stored -> stored.chain().equals(chain))
        .orElseThrow(() ->
            new CaTokenException(
                CaTokenException.Reason.FAILED,
                "CA key "
                    + label
                    + " does not read back as it was stored; the token may hold"
                    + " remains of an interrupted bootstrap under the same label or CKA_ID"));
  }
}
