package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.QcSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.CaSettings;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.ca.*}.
 *
 * @param concurrentSignatures how many signatures with the issuing key may be in progress at once,
 *     in each device
 * @param root the root that the bootstrap creates
 * @param issuing the issuing CA that the bootstrap creates and that signs
 * @param profile the content of signers' certificates in the profile {@code standard}
 * @param profilesDirectory the directory with further profiles
 * @param crl the CA's own lists of revoked certificates
 * @param ocsp the CA's own answers about single certificates
 */
public record CaProperties(
    @DefaultValue("5") int concurrentSignatures,
    @DefaultValue Root root,
    @DefaultValue Issuing issuing,
    @DefaultValue Profile profile,
    @Nullable Path profilesDirectory,
    @DefaultValue Crl crl,
    @DefaultValue Ocsp ocsp) {

  /** {@code keywell.ca.root.*}. */
  public record Root(
      @DefaultValue("keywell-root") String label,
      @DefaultValue("EC-P256") String key,
      @DefaultValue("7300d") Duration validity,
      @DefaultValue("Keywell Root CA") String commonName,
      @Nullable String organization,
      @Nullable String country) {}

  /** {@code keywell.ca.issuing.*}. */
  public record Issuing(
      @DefaultValue("keywell-issuing") String label,
      @DefaultValue("EC-P256") String key,
      @DefaultValue("3650d") Duration validity,
      @DefaultValue("Keywell Issuing CA") String commonName,
      @Nullable String organization,
      @Nullable String country) {}

  /**
   * {@code keywell.ca.crl.*}.
   *
   * @param uri where the lists are published, http or https, with a slash at its end; certificates
   *     name their lists below it. Null: there are none
   * @param validity of a list, 1 h to 30 d; a newer one is made after half of it
   * @param fresh after which a revocation is in its list, 1 s to 1 h
   * @param port of a further port that serves the lists to everyone, without TLS; null: none
   * @param address of that port
   * @param ratePerSecond requests that port answers a second, 1 to 100,000
   */
  public record Crl(
      @Nullable URI uri,
      @DefaultValue("24h") Duration validity,
      @DefaultValue("10s") Duration fresh,
      @Nullable Integer port,
      @DefaultValue("127.0.0.1") InetAddress address,
      @DefaultValue("100") int ratePerSecond) {

    private static final Pattern BASE = Pattern.compile("https?://[^/?#]+(/[^?#]*)?/");

    public Crl {
      require(
          uri == null || BASE.matcher(uri.toString()).matches(),
          "keywell.ca.crl.uri",
          String.valueOf(uri),
          "http or https, and a slash at the end");
      require("keywell.ca.crl.validity", validity, "1h", "30d");
      require("keywell.ca.crl.fresh", fresh, "1s", "1h");
      require("keywell.ca.crl.rate-per-second", ratePerSecond, 1, 100_000);
      if (port != null) {
        require("keywell.ca.crl.port", port, 1, 65_535);
        require(uri != null, "keywell.ca.crl.uri", "not set", "an address beside a port");
      }
    }

    /** Returns {@code uri} if there are lists. */
    public Optional<URI> base() {
      return Optional.ofNullable(uri);
    }
  }

  /**
   * {@code keywell.ca.ocsp.*}.
   *
   * @param uri where requests are answered, http, with a slash at its end; signers' certificates
   *     that name lists of the CA's own name it. Null: nowhere
   * @param keyLabel of the first key in each token that signs; each key of the CA has its own
   * @param validity of an answer, 1 min to 7 d
   * @param certificateValidity of the certificates that the bootstrap makes, 1 d to 5 y; cut to
   *     that of the issuing CA's
   */
  public record Ocsp(
      @Nullable URI uri,
      @DefaultValue("keywell-ocsp") String keyLabel,
      @DefaultValue("10m") Duration validity,
      @DefaultValue("365d") Duration certificateValidity) {

    private static final Pattern BASE = Pattern.compile("http://[^/?#]+(/[^?#]*)?/");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    public Ocsp {
      require(
          uri == null || BASE.matcher(uri.toString()).matches(),
          "keywell.ca.ocsp.uri",
          String.valueOf(uri),
          "http, and a slash at the end");
      require(
          LABEL.matcher(keyLabel).matches(),
          "keywell.ca.ocsp.key-label",
          "'" + keyLabel + "'",
          "1 to 32 of A-Z a-z 0-9 . _ -");
      require("keywell.ca.ocsp.validity", validity, "1m", "7d");
      require("keywell.ca.ocsp.certificate-validity", certificateValidity, "1d", "1826d");
    }

    /** Returns {@code uri} if requests are answered. */
    public Optional<URI> base() {
      return Optional.ofNullable(uri);
    }
  }

  /** {@code keywell.ca.profile.*}; see {@link ProfileSettings}. */
  public record Profile(
      @DefaultValue("1d") Duration validity,
      @DefaultValue("1m") Duration minValidity,
      @DefaultValue("1m") Duration backdate,
      @DefaultValue List<String> policies,
      @Nullable String cpsUri,
      @DefaultValue List<String> crlUris,
      @DefaultValue List<String> ocspUris,
      @DefaultValue List<String> caIssuersUris,
      @DefaultValue("false") boolean crlsByDay,
      @DefaultValue("contentCommitment") List<String> keyUsage,
      @DefaultValue List<String> extendedKeyUsage,
      @DefaultValue("false") boolean noRevocationAvailable,
      @DefaultValue("false") boolean validityAssuredShortTerm,
      @DefaultValue("any") String subject,
      @DefaultValue("true") boolean authenticationContext,
      @DefaultValue Qc qcStatements) {

    /** Returns the unchecked settings. */
    public ProfileSettings settings() {
      return new ProfileSettings(
          validity,
          minValidity,
          backdate,
          policies,
          cpsUri,
          crlUris,
          ocspUris,
          caIssuersUris,
          crlsByDay,
          keyUsage,
          extendedKeyUsage,
          noRevocationAvailable,
          validityAssuredShortTerm,
          subject,
          authenticationContext,
          qcStatements.settings());
    }
  }

  /** {@code keywell.ca.profile.qc-statements.*}; see {@link QcSettings}. */
  public record Qc(
      @DefaultValue("false") boolean compliance,
      @DefaultValue List<String> legislation,
      @DefaultValue("false") boolean sscd,
      @Nullable String type,
      @DefaultValue List<QcSettings.Pds> pds,
      @DefaultValue("false") boolean naturalPersonSemantics,
      @Nullable String nameRegistrationAuthority) {

    private QcSettings settings() {
      return new QcSettings(
          compliance,
          legislation,
          sscd,
          type,
          pds,
          naturalPersonSemantics,
          nameRegistrationAuthority);
    }
  }

  public CaProperties {
    SigningLimits.of(concurrentSignatures);
    settings(root, issuing, crl);
    require(
        ocsp.uri() == null || crl.uri() != null,
        "keywell.ca.crl.uri",
        "not set",
        "an address beside keywell.ca.ocsp.uri");
    CertificateProfile.of(profile.settings());
  }

  /** Returns the checked limits of the issuing key. */
  public SigningLimits signingLimits() {
    return SigningLimits.of(concurrentSignatures);
  }

  /** Returns what the bootstrap creates. */
  public CaSettings settings() {
    return settings(root, issuing, crl);
  }

  /** Returns the name in the certificates of what answers OCSP requests. */
  public Subject ocspSubject() {
    return name("Keywell OCSP Responder", issuing.organization(), issuing.country());
  }

  /** Returns the checked profile {@code standard}. */
  public CertificateProfile standardProfile() {
    return CertificateProfile.of(profile.settings());
  }

  private static CaSettings settings(Root root, Issuing issuing, Crl crl) {
    return new CaSettings(
        root.label(),
        issuing.label(),
        name(root.commonName(), root.organization(), root.country()),
        name(issuing.commonName(), issuing.organization(), issuing.country()),
        CaKeySpec.ofLabel(root.key()),
        CaKeySpec.ofLabel(issuing.key()),
        root.validity(),
        issuing.validity(),
        crl.base());
  }

  private static Subject name(
      String commonName, @Nullable String organization, @Nullable String country) {
    return new Subject(commonName, null, null, null, organization, null, country);
  }
}
