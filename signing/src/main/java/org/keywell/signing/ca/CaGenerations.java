package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaToken;

/**
 * The keys of a CA that follow each other in one token. The newest certifies; those before sign
 * their lists until their certificates end. Immutable.
 */
final class CaGenerations implements CertificateAuthority {

  /**
   * Where they are, and what opens the CA of each; the label is that of the first.
   *
   * @param responders what answers for them; looked for before they are opened
   */
  record Source(
      CaToken token,
      String label,
      InstantSource clock,
      OcspSigners responders,
      Function<IssuingKey, CertificateAuthority> opener) {

    private List<CertificateAuthority> open() {
      return token.issuingKeys(label, clock).stream().map(opener).toList();
    }
  }

  private final Source source;
  private final List<CertificateAuthority> all;
  private final Set<X509Certificate> answered;
  private final CertificateAuthority issuing;

  /**
   * @param answered certificates of keys that OCSP requests are answered for
   */
  private CaGenerations(
      Source source,
      List<CertificateAuthority> all,
      Set<X509Certificate> answered,
      CertificateAuthority issuing) {
    this.source = source;
    this.all = all;
    this.answered = answered;
    this.issuing = issuing;
  }

  /**
   * Opens those that have a valid chain.
   *
   * @throws org.keywell.ca.token.CaTokenException if there is none, or the token cannot be used
   */
  static CaGenerations open(Source source) {
    source.responders().look(source.token());
    List<CertificateAuthority> all = source.open();
    return new CaGenerations(source, all, source.responders().issuers(), all.getFirst());
  }

  /**
   * {@inheritDoc}
   *
   * <p>A key that is new certifies from the second time on: its lists are published before, and all
   * instances answer OCSP requests. Likewise, certificates name a new responder from then on.
   */
  @Override
  public CertificateAuthority refreshed() {
    source.responders().look(source.token());
    Set<X509Certificate> answeredNow = source.responders().issuers();
    List<X509Certificate> now = source.token().issuingCertificates(source.label(), source.clock());
    if (now.isEmpty()) {
      return this;
    }
    if (answeredNow.equals(answered)
        && now.equals(all.stream().map(CaGenerations::certificate).toList())) {
      return issuing.equals(all.getFirst())
          ? this
          : new CaGenerations(source, all, answered, all.getFirst());
    }
    List<CertificateAuthority> found = source.open();
    CertificateAuthority same = now.contains(certificate(issuing)) ? issuing : found.getFirst();
    return new CaGenerations(source, found, answeredNow, same);
  }

  private static X509Certificate certificate(CertificateAuthority ca) {
    return ca.chain().getFirst();
  }

  @Override
  public Certification certify(CertificationRequest request) {
    return issuing.certify(request);
  }

  @Override
  public boolean isValid() {
    return issuing.isValid();
  }

  @Override
  public Optional<Certification.Refused> prove() {
    return issuing.prove();
  }

  @Override
  public ListAnswer sign(RevocationList list) {
    String issuer = list.shard().issuer();
    return all.stream()
        .filter(ca -> HexFormat.of().formatHex(CrlShard.issuer(certificate(ca))).equals(issuer))
        .findFirst()
        .map(ca -> ca.sign(list))
        .orElseGet(() -> new ListAnswer.NotSigned("the token has no key " + issuer));
  }

  @Override
  public List<X509Certificate> chain() {
    return issuing.chain();
  }

  @Override
  public List<List<X509Certificate>> chains() {
    return all.stream().map(CertificateAuthority::chain).toList();
  }
}
