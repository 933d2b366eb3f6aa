package org.keywell.keypool.hsm.pkcs11;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStoreException;
import java.security.KeyStoreSpi;
import java.security.PublicKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The private keys in a token that have certificates, as of {@link #engineLoad}. Where several
 * objects could be one entry, such as after a crash, those count whose key signs for its
 * certificate.
 */
final class CertifiedKeyStore extends KeyStoreSpi {
  private final TokenSessions sessions;
  private final Signing signing;
  private TokenContent content = TokenContent.NOTHING;

  CertifiedKeyStore(TokenSessions sessions, Signing signing) {
    this.sessions = sessions;
    this.signing = signing;
  }

  /** Reads the token, which the process is logged in to. */
  @Override
  public void engineLoad(@Nullable InputStream none, char @Nullable [] password)
      throws IOException {
    try {
      content = sessions.in(TokenContent::read);
    } catch (HsmException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** What an alias stands for; empty if it stands for no private key with a certificate. */
  private Optional<CertifiedEntry> entry(String alias) throws UnrecoverableKeyException {
    TokenContent.Entry named = content.entries().get(alias);
    if (named == null) {
      return Optional.empty();
    }
    List<X509Certificate> readable =
        named.certificates().stream().flatMap(each -> each.value().stream()).distinct().toList();
    if (readable.isEmpty()) {
      throw new UnrecoverableKeyException("the certificate of key " + alias + " is not X.509");
    }
    List<CertifiedEntry> possible =
        readable.stream()
            .flatMap(certificate ->
                spec(certificate.getPublicKey()).stream()
                    .flatMap(spec ->
                        named.keys().stream()
                            .map(key -> new CertifiedEntry(key(key, spec), certificate))))
            .toList();
    if (possible.size() == 1) {
      return Optional.of(possible.getFirst());
    }
    return Optional.of(
        possible.stream()
            .filter(CertifiedEntry::signs)
            .findFirst()
            .orElseThrow(() ->
                new UnrecoverableKeyException(
                    "no private key " + alias + " in the token signs for its certificate")));
  }

  private CertifiedKey key(TokenContent.PrivateKeyObject object, KeySpec spec) {
    return CertifiedKey.stored(
        sessions, signing, new KeyHandle(0, object.object(), spec), object.readable());
  }

  /** Of an RSA key, any kind will do: its length is of no account for a signature. */
  private static Optional<KeySpec> spec(PublicKey key) {
    return switch (key) {
      case RSAPublicKey _ -> Optional.of(KeySpec.RSA_2048);
      case ECPublicKey ec ->
          Stream.of(KeySpec.EC_P256, KeySpec.EC_P384)
              .filter(spec -> spec.bits() == ec.getParams().getCurve().getField().getFieldSize())
              .findFirst();
      default -> Optional.empty();
    };
  }

  @Override
  public @Nullable Key engineGetKey(String alias, char @Nullable [] password)
      throws UnrecoverableKeyException {
    return entry(alias).map(CertifiedEntry::key).orElse(null);
  }

  @Override
  public @Nullable Certificate engineGetCertificate(String alias) {
    X509Certificate single = content.certificates().get(alias);
    if (single != null) {
      return single;
    }
    try {
      return entry(alias).map(CertifiedEntry::certificate).orElse(null);
    } catch (UnrecoverableKeyException e) {
      return null;
    }
  }

  @Override
  public Certificate @Nullable [] engineGetCertificateChain(String alias) {
    Certificate own = content.entries().containsKey(alias) ? engineGetCertificate(alias) : null;
    return own == null ? null : new Certificate[] {own};
  }

  @Override
  public Enumeration<String> engineAliases() {
    return Collections.enumeration(
        Stream.concat(content.entries().keySet().stream(), content.certificates().keySet().stream())
            .toList());
  }

  @Override
  public boolean engineContainsAlias(String alias) {
    return engineIsKeyEntry(alias) || engineIsCertificateEntry(alias);
  }

  @Override
  public int engineSize() {
    return content.entries().size() + content.certificates().size();
  }

  @Override
  public boolean engineIsKeyEntry(String alias) {
    return content.entries().containsKey(alias);
  }

  @Override
  public boolean engineIsCertificateEntry(String alias) {
    return content.certificates().containsKey(alias);
  }

  /**
   * Moves a key that was generated here to the token, or gives one that is there other
   * certificates.
   *
   * @param chain the key's certificate first; of the others, those are added that the token lacks
   */
  @Override
  public void engineSetKeyEntry(
      String alias, Key key, char @Nullable [] password, Certificate[] chain)
      throws KeyStoreException {
    if (!(key instanceof CertifiedKey certified) || !certified.isIn(sessions)) {
      throw new KeyStoreException("not a key in this token");
    }
    try {
      content =
          sessions.inReadWrite(session -> {
            CertifiedWriter.write(
                session,
                TokenContent.read(session),
                alias,
                certified,
                Stream.of(chain).map(X509Certificate.class::cast).toList());
            return TokenContent.read(session);
          });
    } catch (HsmException e) {
      throw new KeyStoreException(e.getMessage(), e);
    }
  }

  @Override
  public @Nullable String engineGetCertificateAlias(Certificate certificate) {
    return content.certificates().entrySet().stream()
        .filter(each -> each.getValue().equals(certificate))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** The token keeps no dates. */
  @Override
  public @Nullable Date engineGetCreationDate(String alias) {
    return null;
  }

  @Override
  public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain)
      throws KeyStoreException {
    throw refused();
  }

  @Override
  public void engineSetCertificateEntry(String alias, Certificate certificate)
      throws KeyStoreException {
    throw refused();
  }

  @Override
  public void engineDeleteEntry(String alias) throws KeyStoreException {
    throw refused();
  }

  private static KeyStoreException refused() {
    return new KeyStoreException("only keys that are in the token are written, with certificates");
  }

  @Override
  public void engineStore(OutputStream none, char[] password) {
    throw new UnsupportedOperationException("the token stores at once");
  }
}
