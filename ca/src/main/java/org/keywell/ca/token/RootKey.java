package org.keywell.ca.token;

import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.ca.issuance.CrlContent;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/** The key of a root that was made in the token, to sign the list of CAs' certificates. */
public final class RootKey {
  private final X509Certificate certificate;
  private final CaKey key;

  private RootKey(X509Certificate certificate, CaKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /**
   * Finds the keys of roots that follow each other.
   *
   * @param token as for {@link CaToken}
   * @return the newest first; without those that are above no issuing CA in this token
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public static List<RootKey> all(Provider token, CaSettings settings) {
    TokenKeyStore store = new TokenKeyStore(token);
    Set<X509Certificate> above =
        store.generations(settings.issuingLabel()).stream()
            .map(issuing -> issuing.key().chain().getLast())
            .collect(Collectors.toSet());
    return store.generations(settings.rootLabel()).stream()
        .map(KeyGeneration::key)
        .filter(root -> above.contains(root.chain().getFirst()))
        .map(root ->
            new RootKey(
                root.chain().getFirst(),
                new CaKey(root.privateKey(), root.publicKey(), store.provider())))
        .toList();
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
