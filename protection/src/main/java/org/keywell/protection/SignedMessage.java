package org.keywell.protection;

import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerIdentifier;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;

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
    Certificate leaf = Certificates.parsed(signature.chain().get(0));
    SignerInfo info =
        new SignerInfo(
            new SignerIdentifier(new IssuerAndSerialNumber(leaf)),
            HASH,
            signed,
            signature.scheme().identifiers(DIGEST).get(0),
            new DEROctetString(signature.value()),
            null);
    ASN1EncodableVector certificates = new ASN1EncodableVector();
    signature.chain().forEach(each -> certificates.add(Certificates.parsed(each)));
    return Der.write(
        new ContentInfo(
            CMSObjectIdentifiers.signedData,
            new SignedData(
                new DERSet(HASH),
                new ContentInfo(CMSObjectIdentifiers.data, new DEROctetString(entity)),
                new DERSet(certificates),
                null,
                new DERSet(info))));
  }

  private static Attribute attribute(ASN1ObjectIdentifier type, ASN1Encodable value) {
    return new Attribute(type, new DERSet(value));
  }
}
