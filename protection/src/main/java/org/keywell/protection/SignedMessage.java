package org.keywell.protection;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerIdentifier;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** Writes {@code SignedData} (RFC 5652, section 5) around an entity, with one signature. */
final class SignedMessage {

  private static final Digest DIGEST = Digest.SHA_512;
  private static final AlgorithmIdentifier HASH = DIGEST.identifier(false);

  private SignedMessage() {}

  static byte[] write(byte[] entity, MessageSigner signer) {
    ASN1EncodableVector attributes = new ASN1EncodableVector();
    attributes.add(attribute(CMSAttributes.contentType, CMSObjectIdentifiers.data));
    attributes.add(attribute(CMSAttributes.messageDigest, new DEROctetString(DIGEST.of(entity))));
    ASN1Set signed = new DERSet(attributes);
    MessageSignature signature = signer.sign(Der.write(signed));
    SignerInfo info =
        new SignerInfo(
            new SignerIdentifier(Certificates.name(signature.chain().get(0))),
            HASH,
            signed,
            signature.scheme().identifiers(DIGEST).get(0),
            new DEROctetString(signature.value()),
            null);
    return Der.write(
        new ContentInfo(
            CMSObjectIdentifiers.signedData,
            new SignedData(
                new DERSet(HASH),
                new ContentInfo(CMSObjectIdentifiers.data, new DEROctetString(entity)),
                certificates(signature),
                null,
                new DERSet(info))));
  }

  private static ASN1Set certificates(MessageSignature signature) {
    ASN1EncodableVector certificates = new ASN1EncodableVector();
    try {
      for (X509Certificate each : signature.chain()) {
        certificates.add(ASN1Sequence.getInstance(each.getEncoded()));
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate without an encoding", e);
    }
    return new DERSet(certificates);
  }

  private static Attribute attribute(ASN1ObjectIdentifier type, ASN1Encodable value) {
    return new Attribute(type, new DERSet(value));
  }
}
