package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.keywell.protection.ProtectionException.Fault;

/** Reads and verifies {@code SignedData}: its content, one signature, and certificates. */
final class SignedReader {

  /** What was signed, and by whom. */
  record Signed(byte[] entity, List<X509Certificate> signer) {}

  private SignedReader() {}

  /**
   * Reads the value of a {@code ContentInfo}.
   *
   * @throws ProtectionException unless the signature holds
   */
  static Signed read(ASN1Encodable value) throws ProtectionException {
    Fields data = Fields.of(value);
    ASN1Encodable version = data.any();
    ASN1Set digests = data.set();
    Fields encapsulated = Fields.of(data.any());
    require(encapsulated.oid().equals(CMSObjectIdentifiers.data), Fault.MALFORMED);
    byte[] entity = Fields.octets(encapsulated.explicit());
    encapsulated.end();
    SignerCertificates certificates = SignerCertificates.of(data.implicitSet());
    ASN1Set infos = data.set();
    data.end();
    require(digests.size() == 1 && infos.size() == 1, Fault.MALFORMED);

    Fields info = Fields.of(infos.getObjectAt(0));
    // Both say how the signer is named (RFC 5652, section 5.1 and 5.3).
    require(info.any().equals(version), Fault.MALFORMED);
    List<X509Certificate> chain = certificates.chain(version, info.any());
    ASN1Encodable hash = info.any();
    require(hash.equals(digests.getObjectAt(0)), Fault.MALFORMED);
    Digest digest = digest(hash);
    ASN1Set attributes = info.implicitSet();
    SignatureScheme scheme = scheme(info.any(), digest);
    byte[] signature = info.octets();
    info.end();

    covers(attributes, digest.of(entity));
    verify(chain.get(0), scheme, digest, Der.write(attributes), signature);
    return new Signed(entity, chain);
  }

  private static Digest digest(ASN1Encodable identifier) throws ProtectionException {
    for (Digest digest : Digest.values()) {
      if (digest.identifier(true).equals(identifier)
          || digest.identifier(false).equals(identifier)) {
        return digest;
      }
    }
    throw new ProtectionException(Fault.ALGORITHM_NOT_ALLOWED);
  }

  private static SignatureScheme scheme(ASN1Encodable identifier, Digest digest)
      throws ProtectionException {
    byte[] der = Der.write(identifier);
    for (SignatureScheme scheme : SignatureScheme.values()) {
      if (scheme.identifiers(digest).stream().anyMatch(it -> Arrays.equals(Der.write(it), der))) {
        return scheme;
      }
    }
    throw new ProtectionException(Fault.ALGORITHM_NOT_ALLOWED);
  }

  /** Each attribute comes once, and those that tie the signature to the content are right. */
  private static void covers(ASN1Set attributes, byte[] hash) throws ProtectionException {
    Map<ASN1ObjectIdentifier, ASN1Encodable> values = new HashMap<>();
    for (ASN1Encodable each : attributes) {
      Fields attribute = Fields.of(each);
      ASN1ObjectIdentifier type = attribute.oid();
      ASN1Set value = attribute.set();
      attribute.end();
      require(value.size() == 1, Fault.MALFORMED);
      require(values.put(type, value.getObjectAt(0)) == null, Fault.MALFORMED);
    }
    require(
        CMSObjectIdentifiers.data.equals(values.get(CMSAttributes.contentType)),
        Fault.SIGNATURE_INVALID);
    require(
        new DEROctetString(hash).equals(values.get(CMSAttributes.messageDigest)),
        Fault.SIGNATURE_INVALID);
  }

  private static void verify(
      X509Certificate signer,
      SignatureScheme scheme,
      Digest digest,
      byte[] attributes,
      byte[] signature)
      throws ProtectionException {
    require(
        Certificates.signs(signer) && Certificates.algorithm(signer).equals(scheme.keyAlgorithm()),
        Fault.KEY_WRONG);
    try {
      Signature engine = scheme.engine(digest);
      // By key: for a certificate, the JDK would refuse contentCommitment alone.
      engine.initVerify(signer.getPublicKey());
      engine.update(attributes);
      require(engine.verify(signature), Fault.SIGNATURE_INVALID);
    } catch (SignatureException e) {
      throw new ProtectionException(Fault.SIGNATURE_INVALID);
    } catch (GeneralSecurityException e) {
      throw new ProtectionException(Fault.KEY_WRONG);
    }
  }

  private static void require(boolean condition, Fault fault) throws ProtectionException {
    if (!condition) {
      throw new ProtectionException(fault);
    }
  }
}
