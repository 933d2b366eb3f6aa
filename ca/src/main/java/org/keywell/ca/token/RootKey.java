package org.keywell.ca.token;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.keywell.ca.issuance.CrlContent;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/** The key of the root that the bootstrap made, to sign the list of CAs' certificates. */
public final class RootKey {
  private final X509Certificate certificate;
  private final CaKey key;

  private RootKey(X509Certificate certificate, CaKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /**
   * Opens the token as {@link CaToken#open} does, and finds the key.
   *
   * @param pin not kept; the caller wipes it
   * @return empty if the root above the issuing CA in this token has its key elsewhere
   * @throws CaTokenException {@code UNAVAILABLE}, {@code PIN_REFUSED}, {@code KEY_EXPOSED} or
   *     {@code FAILED}
   */
  public static Optional<RootKey> find(TokenAddress address, char[] pin, CaSettings settings) {
    TokenKeyStore store = TokenKeyStore.open(Providers.using(address), pin);
    Optional<X509Certificate> above =
        store.find(settings.issuingLabel()).map(issuing -> issuing.chain().getLast());
    return store
        .find(settings.rootLabel())
        .filter(root -> above.filter(root.chain().getFirst()::equals).isPresent())
        .map(root ->
            new RootKey(
                root.chain().getFirst(),
                new CaKey(root.privateKey(), root.publicKey(), store.provider())));
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /**
   * Signs a list, and verifies the signature.
   *
   * @throws CaTokenException {@code FAILED} if the key cannot be used
   */
  public ListAnswer sign(RevocationList list) {
    return CrlContent.sign(certificate, key.signer(), list);
  }
}
