package org.keywell.protection;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.ProtectionException.Fault;

/** The certificates in a message, in no order. Names are compared byte for byte. */
final class SignerCertificates {

  private static final int MAX = 8;
  private static final ASN1Integer BY_ISSUER = new ASN1Integer(1);
  private static final ASN1Integer BY_KEY_IDENTIFIER = new ASN1Integer(3);

  private final List<X509Certificate> certificates;

  private SignerCertificates(List<X509Certificate> certificates) {
    this.certificates = certificates;
  }

  static SignerCertificates of(ASN1Set set) throws ProtectionException {
    if (set.size() > MAX) {
      throw new ProtectionException(Fault.TOO_LARGE);
    }
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (ASN1Encodable each : set) {
        byte[] der = Der.write(Fields.as(ASN1Sequence.class, each));
        certificates.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
      }
    } catch (CertificateException e) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    return new SignerCertificates(certificates);
  }

  /** Returns the one certificate that a {@code SignerIdentifier} names, and those above it. */
  List<X509Certificate> chain(ASN1Encodable version, ASN1Encodable identifier)
      throws ProtectionException {
    List<X509Certificate> chain = new ArrayList<>(List.of(leaf(version, identifier)));
    @Nullable X509Certificate above = above(chain);
    while (above != null) {
      chain.add(above);
      above = above(chain);
    }
    return chain;
  }

  private X509Certificate leaf(ASN1Encodable version, ASN1Encodable identifier)
      throws ProtectionException {
    List<X509Certificate> named = new ArrayList<>();
    if (version.equals(BY_ISSUER)) {
      byte[] name = Der.write(Fields.as(ASN1Sequence.class, identifier));
      certificates.stream()
          .filter(each -> Arrays.equals(name, Der.write(Certificates.name(each))))
          .forEach(named::add);
    } else if (version.equals(BY_KEY_IDENTIFIER)) {
      byte[] name = Fields.implicitOctets(identifier);
      certificates.stream()
          .filter(each -> name.length > 0 && Arrays.equals(name, Certificates.keyIdentifier(each)))
          .forEach(named::add);
    }
    if (named.size() != 1) {
      throw new ProtectionException(Fault.MALFORMED);
    }
    return named.get(0);
  }

  private @Nullable X509Certificate above(List<X509Certificate> chain) {
    byte[] issuer = chain.get(chain.size() - 1).getIssuerX500Principal().getEncoded();
    for (X509Certificate each : certificates) {
      if (!chain.contains(each)
          && Arrays.equals(issuer, each.getSubjectX500Principal().getEncoded())) {
        return each;
      }
    }
    return null;
  }
}
