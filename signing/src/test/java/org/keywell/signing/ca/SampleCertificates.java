package org.keywell.signing.ca;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SampleAuthentication;
import org.keywell.ca.ServerNames;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.ServerCertificates;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.ServiceUse;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.signing.BoundSettings;

/** Certificates of each profile, as a service with these settings and files issues them. */
final class SampleCertificates {

  /** How an operator has it who publishes revocation and the issuer's certificate. */
  private static final String[] CONFIGURED = {
    "keywell.ca.profile.policies=1.2.752.999.1",
    "keywell.ca.profile.crl-uris=http://ca.example.com/issuing.crl",
    "keywell.ca.profile.ocsp-uris=http://ocsp.example.com",
    "keywell.ca.profile.ca-issuers-uris=http://ca.example.com/issuing.cer",
    "keywell.ca.profile.subject=etsi-natural-person",
    "keywell.ca.profile.qc-statements.natural-person-semantics=true"
  };

  /** Where lists of revoked certificates are published. */
  static final URI LISTS = URI.create("http://ca.example.com/lists/");

  /**
   * One certificate.
   *
   * @param profile its profile; the CA's own have none
   * @param name profile, key, and whether the signer was identified
   */
  record Sample(@Nullable String profile, String name, X509Certificate certificate) {}

  private SampleCertificates() {}

  /**
   * All.
   *
   * @param profiles the directory with files of profiles
   */
  static List<Sample> issue(Path profiles) {
    List<Sample> samples = new ArrayList<>();
    for (CaKeySpec spec : CaKeySpec.values()) {
      List<X509Certificate> chain = SoftwareCa.issuingKey(spec).chain();
      samples.add(new Sample(null, "issuing-" + spec.label(), chain.getFirst()));
      samples.add(new Sample(null, "root-" + spec.label(), chain.getLast()));
      samples.add(new Sample(null, "server-" + spec.label(), server(SoftwareCa.issuingKey(spec))));
      for (ServiceUse use : ServiceUse.values()) {
        IssuingKey unit =
            SoftwareCa.certified(use, SoftwareCa.issuingKey(spec), LISTS, Duration.ofDays(365));
        samples.add(new Sample(null, use + "-" + spec.label(), unit.certificate()));
      }
    }
    samples.addAll(ofProfiles("default-", authority()));
    String[] settings = new String[CONFIGURED.length + 1];
    System.arraycopy(CONFIGURED, 0, settings, 0, CONFIGURED.length);
    settings[CONFIGURED.length] = "keywell.ca.profiles-directory=" + profiles;
    samples.addAll(ofProfiles("", authority(settings)));
    return samples;
  }

  private static X509Certificate server(IssuingKey key) {
    ProofOfPossession.SignedRequest request =
        SubjectKeyPair.ec("secp256r1").requestToBeCertified(ProofScheme.ECDSA, ProofDigest.SHA_256);
    String pem =
        "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(request.request()));
    var profiles = ProfileFiles.read(BoundSettings.of(CONFIGURED).ca()).profiles();
    return Certificates.of(
        new ServerCertificates(
                key, profiles, Duration.ofDays(90), InstantSource.system(), new SecureRandom())
            .issue(pem, ServerNames.of(List.of("keywell.example.com", "192.0.2.7"), false)));
  }

  private record Named(CertificateAuthority authority, Iterable<String> profiles) {}

  private static Named authority(String... settings) {
    var profiles = ProfileFiles.read(BoundSettings.of(settings).ca()).profiles();
    return new Named(
        new BouncyCastleCertificateAuthority(
            SoftwareCa.issuingKey(CaKeySpec.EC_P256),
            profiles,
            SigningLimits.defaults(),
            InstantSource.system(),
            new SecureRandom()),
        profiles.all().keySet());
  }

  private static List<Sample> ofProfiles(String prefix, Named named) {
    List<Sample> samples = new ArrayList<>();
    for (String profile : named.profiles()) {
      for (SubjectKeyPair key : List.of(SubjectKeyPair.rsa(2048), SubjectKeyPair.ec("secp256r1"))) {
        String of = prefix + profile + "-" + key.publicKey().getAlgorithm();
        samples.add(new Sample(prefix + profile, of, issue(named.authority(), key, profile, null)));
        samples.add(
            new Sample(
                prefix + profile,
                of + "-identified",
                issue(named.authority(), key, profile, SampleAuthentication.ofSixten())));
      }
    }
    return samples;
  }

  private static X509Certificate issue(
      CertificateAuthority authority,
      SubjectKeyPair key,
      String profile,
      @Nullable AuthenticationContext authentication) {
    return Certificates.of(
        authority.certify(key.request(SampleAuthentication.SIXTEN, profile, authentication)));
  }
}
