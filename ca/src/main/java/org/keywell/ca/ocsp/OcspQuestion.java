package org.keywell.ca.ocsp;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.jcajce.JcaCertificateID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/** Asks other CAs' responders for the status of one certificate (RFC 6960, section 4.1). */
public final class OcspQuestion {

  private OcspQuestion() {}

  /**
   * Returns an {@code OCSPRequest} in DER, with SHA-1 as every responder understands it.
   *
   * @throws GeneralSecurityException if a certificate cannot be read
   */
  public static byte[] about(X509Certificate certificate, X509Certificate issuer)
      throws GeneralSecurityException {
    try {
      CertificateID id =
          new JcaCertificateID(
              new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1),
              issuer,
              certificate.getSerialNumber());
      return new OCSPReqBuilder().addRequest(id).build().getEncoded();
    } catch (OCSPException | OperatorCreationException | IOException e) {
      throw new GeneralSecurityException("no request can be made: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the first responder that a certificate names; empty if it names none.
   *
   * @throws GeneralSecurityException if the certificate cannot be read
   */
  public static Optional<URI> responder(X509Certificate certificate)
      throws GeneralSecurityException {
    try {
      AuthorityInformationAccess access =
          AuthorityInformationAccess.fromExtensions(
              new JcaX509CertificateHolder(certificate).getExtensions());
      if (access == null) {
        return Optional.empty();
      }
      for (AccessDescription one : access.getAccessDescriptions()) {
        GeneralName location = one.getAccessLocation();
        if (AccessDescription.id_ad_ocsp.equals(one.getAccessMethod())
            && location.getTagNo() == GeneralName.uniformResourceIdentifier) {
          return Optional.of(new URI(ASN1IA5String.getInstance(location.getName()).getString()));
        }
      }
      return Optional.empty();
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new GeneralSecurityException(
          "the certificate's authorityInfoAccess cannot be read: " + e.getMessage(), e);
    }
  }
}
