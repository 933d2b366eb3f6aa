package org.keywell.ca.cms;

import java.io.IOException;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerIdentifier;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.x509.Certificate;
import org.keywell.ca.CaChain;
import org.keywell.ca.ProofScheme;

/**
 * A single signature in a {@code SignedData} (RFC 5652, section 5) without the document. Depends
 * only on its inputs, so the same inputs produce the same octets.
 */
public final class DetachedSignedData {

  private DetachedSignedData() {}

  /**
   * Combines a signature with its certificate chain. Leaves a root out: a verifier trusts one that
   * it obtained by other means (ETSI EN 319 122-1, clause 6.3, requires those that a verifier may
   * lack).
   *
   * @param signature over the attributes, in the scheme's encoding: octets of RFC 8017 or FIPS 204,
   *     or a DER {@code Ecdsa-Sig-Value}
   * @param certificate the one that the attributes name, DER
   * @param above the chain that it was issued under
   * @return a {@code ContentInfo}, DER
   */
  public static byte[] of(
      SignedAttributes attributes,
      ProofScheme scheme,
      byte[] signature,
      byte[] certificate,
      CaChain above) {
    Certificate signer = Certificate.getInstance(certificate);
    SignerInfo info =
        new SignerInfo(
            new SignerIdentifier(new IssuerAndSerialNumber(signer)),
            CmsAlgorithms.of(attributes.algorithm()),
            ASN1Set.getInstance(attributes.der()),
            CmsAlgorithms.of(scheme, attributes.algorithm()),
            new DEROctetString(signature),
            null);
    SignedData data =
        new SignedData(
            new DERSet(CmsAlgorithms.of(attributes.algorithm())),
            new ContentInfo(CMSObjectIdentifiers.data, null),
            certificates(signer, above.certificates()),
            null,
            new DERSet(info));
    try {
      return new ContentInfo(CMSObjectIdentifiers.signedData, data).getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new AssertionError("encoding to memory", e);
    }
  }

  private static ASN1Set certificates(Certificate signer, List<byte[]> above) {
    ASN1EncodableVector certificates = new ASN1EncodableVector();
    certificates.add(signer);
    for (byte[] der : above) {
      Certificate certificate = Certificate.getInstance(der);
      if (!certificate.getIssuer().equals(certificate.getSubject())) {
        certificates.add(certificate);
      }
    }
    return new DERSet(certificates);
  }
}
