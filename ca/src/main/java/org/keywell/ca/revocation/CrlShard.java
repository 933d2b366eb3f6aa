package org.keywell.ca.revocation;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;

/**
 * A part of what a CA's key has certified, with a list of its own. Signers' certificates are listed
 * by day: lists stay short that way, and each is of no use once the last of its certificates has
 * expired. The few others are in lists as long-lived as the CA.
 *
 * @param issuer the CA key's identifier, 20 bytes in lower-case hexadecimal digits
 * @param name the day of {@code notBefore} in UTC, {@code services} for the service's own
 *     certificates, or {@code authorities} for those of CAs
 */
public record CrlShard(String issuer, String name) {

  private static final String SERVICES = "services";
  private static final String AUTHORITIES = "authorities";

  private static final Pattern ADDRESS =
      Pattern.compile("(?:.*/)?([0-9a-f]{40})/(\\d{4}-\\d\\d-\\d\\d|services|authorities)\\.crl");

  /**
   * @throws IllegalArgumentException if there is no such list
   */
  public CrlShard {
    String path = path(issuer, name);
    if (!ADDRESS.matcher(path).matches()) {
      throw new IllegalArgumentException("no list of revoked certificates: " + path);
    }
  }

  /** Returns that of signers' certificates that are valid from a time on. */
  public static CrlShard ofSigners(byte[] issuer, Instant notBefore) {
    return of(issuer, LocalDate.ofInstant(notBefore, ZoneOffset.UTC).toString());
  }

  /** Returns that of certificates of the service itself: for time stamps, and for TLS. */
  public static CrlShard ofServices(byte[] issuer) {
    return of(issuer, SERVICES);
  }

  /** Returns that of certificates of CAs. */
  public static CrlShard ofAuthorities(byte[] issuer) {
    return of(issuer, AUTHORITIES);
  }

  private static CrlShard of(byte[] issuer, String name) {
    return new CrlShard(HexFormat.of().formatHex(issuer), name);
  }

  /** Returns the identifier of a CA's key. The certificate must have one (RFC 5280). */
  public static byte[] issuer(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue(Extension.subjectKeyIdentifier.getId());
    return SubjectKeyIdentifier.getInstance(ASN1OctetString.getInstance(extension).getOctets())
        .getKeyIdentifier();
  }

  /** Returns that whose list is published at an address; empty if it is none of these. */
  public static Optional<CrlShard> at(String address) {
    Matcher matcher = ADDRESS.matcher(address);
    return matcher.matches()
        ? Optional.of(new CrlShard(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** Returns the address of such a list that a certificate names; empty if it names none. */
  public static Optional<URI> namedBy(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue(Extension.cRLDistributionPoints.getId());
    if (extension == null) {
      return Optional.empty();
    }
    return Arrays.stream(
            CRLDistPoint.getInstance(ASN1OctetString.getInstance(extension).getOctets())
                .getDistributionPoints())
        .map(DistributionPoint::getDistributionPoint)
        .filter(name -> name != null && name.getType() == DistributionPointName.FULL_NAME)
        .flatMap(name -> Arrays.stream(GeneralNames.getInstance(name.getName()).getNames()))
        .filter(name -> name.getTagNo() == GeneralName.uniformResourceIdentifier)
        .map(name -> name.getName().toString())
        .filter(address -> at(address).isPresent())
        .map(URI::create)
        .findFirst();
  }

  /**
   * Returns that whose list a certificate names; empty if it names none.
   *
   * @param certificate DER
   */
  public static Optional<CrlShard> namedBy(byte[] certificate) {
    try {
      return namedBy(
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(certificate)))
          .flatMap(address -> at(address.toString()));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("no certificate", e);
    }
  }

  /** Whether it is of CAs' certificates; all others are of end entities. */
  public boolean isOfAuthorities() {
    return name.equals(AUTHORITIES);
  }

  /** Returns the path of its list, relative to where lists are published. */
  public String path() {
    return path(issuer, name);
  }

  private static String path(String issuer, String name) {
    return issuer + "/" + name + ".crl";
  }

  /**
   * Returns where its list is published.
   *
   * @param base ends with a slash
   */
  public URI within(URI base) {
    return base.resolve(path());
  }
}
