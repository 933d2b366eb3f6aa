package org.keywell.ca.cms;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.Time;
import org.bouncycastle.asn1.ess.ESSCertIDv2;
import org.bouncycastle.asn1.ess.SigningCertificateV2;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuerSerial;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.issuance.ProofAlgorithms;

/**
 * The data that a key signs in place of a document's digest (RFC 5652, section 5.3). It contains
 * that digest and identifies the certificate to verify with (RFC 5035, section 3), so that no other
 * certificate for the key can be substituted.
 *
 * @param der a {@code SET OF Attribute}, as it is hashed or signed (RFC 5652, section 5.4)
 */
public record SignedAttributes(ProofDigest algorithm, byte[] der) {

  /**
   * Builds the attributes.
   *
   * @param documentDigest the document's digest, by {@code algorithm}
   * @param certificate the signer's, DER
   * @param signingTime as claimed by the signer, truncated to the second; null where it must not be
   *     here (ETSI EN 319 142-1, table 1: in a PDF the signature dictionary has it)
   */
  public static SignedAttributes of(
      ProofDigest algorithm,
      byte[] documentDigest,
      byte[] certificate,
      @Nullable Instant signingTime) {
    ASN1EncodableVector attributes = new ASN1EncodableVector();
    attributes.add(attribute(CMSAttributes.contentType, CMSObjectIdentifiers.data));
    if (signingTime != null) {
      attributes.add(
          attribute(CMSAttributes.signingTime, new Time(Date.from(signingTime), Locale.ROOT)));
    }
    attributes.add(attribute(CMSAttributes.messageDigest, new DEROctetString(documentDigest)));
    attributes.add(
        attribute(
            PKCSObjectIdentifiers.id_aa_signingCertificateV2,
            new SigningCertificateV2(named(algorithm, certificate))));
    try {
      return new SignedAttributes(algorithm, new DERSet(attributes).getEncoded(ASN1Encoding.DER));
    } catch (IOException e) {
      throw new AssertionError("encoding to memory", e);
    }
  }

  /**
   * Returns what the key is to sign: the digest, or the attributes themselves if the scheme signs
   * messages (RFC 9882, section 3.2).
   */
  public byte[] toSign(ProofScheme scheme) {
    return new ProofAlgorithms(scheme, algorithm).signed(der);
  }

  private static ESSCertIDv2 named(ProofDigest algorithm, byte[] der) {
    Certificate certificate = Certificate.getInstance(der);
    BigInteger serial = certificate.getSerialNumber().getValue();
    return new ESSCertIDv2(
        CmsAlgorithms.of(algorithm),
        CmsAlgorithms.hash(algorithm, der),
        new IssuerSerial(new GeneralNames(new GeneralName(certificate.getIssuer())), serial));
  }

  private static Attribute attribute(ASN1ObjectIdentifier type, ASN1Encodable value) {
    return new Attribute(type, new DERSet(value));
  }
}
