package org.keywell.ca.issuance;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfile.KeyUsage;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.QcSettings;
import org.keywell.ca.ServerNames;
import org.keywell.ca.SubjectPolicy;
import org.keywell.ca.revocation.CrlShard;

/** Issues certificates of TLS servers under the CA's issuing key, for nothing else. Thread-safe. */
public final class ServerCertificates {

  /** By which browsers limit the certificates of servers. */
  public static final Duration LONGEST = Duration.ofDays(398);

  private static final Duration SHORTEST = Duration.ofHours(1);
  private static final Duration BACKDATE = Duration.ofMinutes(5);
  private static final String SERVER_AUTH = KeyPurposeId.id_kp_serverAuth.getId();
  private static final String ANY_PURPOSE = KeyPurposeId.anyExtendedKeyUsage.getId();
  private static final int MOST_CHARACTERS = 64 * 1024;

  private final BouncyCastleCertificateAuthority authority;
  private final InstantSource clock;

  /**
   * Signs once, to prove that the issuing key works.
   *
   * @param beside the profiles of signers' certificates under the same key; where {@code standard}
   *     has revocation published, or the CA has lists of its own, that of servers is too
   * @param validity 1 hour to {@link #LONGEST}; cut to that of the CA's certificates
   * @throws IssuingKeyException if it does not sign, or must not certify servers
   */
  public ServerCertificates(
      IssuingKey key,
      CertificateProfiles beside,
      Duration validity,
      InstantSource clock,
      SecureRandom random) {
    if (validity.compareTo(SHORTEST) < 0 || validity.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a server's certificate is valid for 1 hour to %s days".formatted(LONGEST.toDays()));
    }
    beside.all().forEach(ServerCertificates::requireApart);
    key.chain().subList(0, key.chain().size() - 1).forEach(ServerCertificates::requireForServers);
    this.authority =
        new BouncyCastleCertificateAuthority(
            key,
            CertificateProfiles.ofStandard(
                settings(
                    validity,
                    beside.find(CertificateProfiles.STANDARD).orElseThrow(),
                    beside.lists().map(base -> ofServices(key).within(base)))),
            SigningLimits.defaults(),
            clock,
            random);
    this.clock = clock;
  }

  /** Clients that trust the root must not take a signer, who chooses what is signed, for one. */
  private static void requireApart(String name, CertificateProfile profile) {
    List<String> purposes = profile.extendedKeyUsage();
    if (profile.qcStatements().compliance()) {
      throw new IssuingKeyException(
          "profile %s claims qualified certificates: servers need another CA".formatted(name));
    }
    if (profile.keyUsage().contains(KeyUsage.DIGITAL_SIGNATURE)
        && (purposes.isEmpty() || includeServers(purposes))) {
      throw new IssuingKeyException(
          "signers of profile %s could pass as servers: it has the key usage digitalSignature, and"
                  .formatted(name)
              + " no extended key usage that excludes them");
    }
  }

  /** Java's validation of paths leaves this out; other clients do not. */
  private static void requireForServers(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      if (purposes != null && !includeServers(purposes)) {
        throw new IssuingKeyException(
            "by its extended key usage, %s does not certify servers"
                .formatted(certificate.getSubjectX500Principal()));
      }
    } catch (CertificateParsingException e) {
      throw new IssuingKeyException("a certificate of the CA cannot be read", e);
    }
  }

  private static boolean includeServers(List<String> purposes) {
    return purposes.contains(SERVER_AUTH) || purposes.contains(ANY_PURPOSE);
  }

  private static CrlShard ofServices(IssuingKey key) {
    return CrlShard.ofServices(Issuer.of(key.certificate()).keyIdentifier());
  }

  private static ProfileSettings settings(
      Duration validity, CertificateProfile standard, Optional<URI> list) {
    return new ProfileSettings(
        validity,
        SHORTEST,
        BACKDATE,
        List.of(),
        null,
        texts(list.map(List::of).orElse(standard.crlUris())),
        texts(standard.ocspUris()),
        texts(standard.caIssuersUris()),
        false,
        List.of("digitalSignature"),
        List.of(SERVER_AUTH),
        false,
        false,
        SubjectPolicy.ANY.label(),
        false,
        QcSettings.NONE);
  }

  private static List<String> texts(List<URI> uris) {
    return uris.stream().map(URI::toString).toList();
  }

  /** As the next, of a request in DER or PEM, as a file has it. */
  public Certification issue(byte[] request, ServerNames names) {
    boolean isDer = request.length > 0 && request[0] == BERTags.CONSTRUCTED + BERTags.SEQUENCE;
    String text =
        isDer
            ? "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(request))
            : new String(request, StandardCharsets.US_ASCII);
    return issue(text, names);
  }

  /**
   * Issues a certificate with an empty subject and the given names.
   *
   * @param request PKCS #10 in PEM, the proof that its sender has the key; what it asks for besides
   *     has no effect
   */
  public Certification issue(String request, ServerNames names) {
    try (PEMParser parser = new PEMParser(new StringReader(request))) {
      if (request.length() > MOST_CHARACTERS
          || !(parser.readObject() instanceof PKCS10CertificationRequest parsed)) {
        return refused("there is no PKCS #10 request in PEM or DER");
      }
      Certification answer =
          authority.certify(
              parsed.getSubjectPublicKeyInfo().getEncoded("DER"),
              new ProofOfPossession.SignedRequest(parsed.getEncoded()),
              AlternativeNames.of(names));
      return answer instanceof Certification.Certified certified ? valid(certified) : answer;
    } catch (IOException | IllegalArgumentException e) {
      return refused("the request cannot be read: " + e.getMessage());
    }
  }

  private static Certification.Refused refused(String why) {
    return new Certification.Refused(Certification.Reason.POSSESSION_NOT_PROVEN, why);
  }

  /** The CA's own certificates may constrain names, or require policies. */
  private Certification valid(Certification.Certified certified) {
    List<X509Certificate> chain = authority.chain();
    try {
      CertificateFactory x509 = CertificateFactory.getInstance("X.509");
      List<X509Certificate> path = new ArrayList<>(chain.subList(0, chain.size() - 1));
      path.addFirst(
          (X509Certificate)
              x509.generateCertificate(new ByteArrayInputStream(certified.certificate())));
      PKIXParameters parameters =
          new PKIXParameters(Set.of(new TrustAnchor(chain.getLast(), null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(clock.instant()));
      var _ =
          CertPathValidator.getInstance("PKIX").validate(x509.generateCertPath(path), parameters);
      return certified;
    } catch (GeneralSecurityException e) {
      return new Certification.Refused(
          Certification.Reason.SUBJECT_NOT_ALLOWED,
          "the CA's certificates do not allow it: " + e.getMessage());
    }
  }
}
