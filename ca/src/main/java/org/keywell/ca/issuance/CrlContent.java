package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.TBSCertList;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V2TBSCertListGenerator;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.RuntimeOperatorException;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;

/** CRLs, and the part of them that is signed (RFC 5280, section 5.1). */
public final class CrlContent {

  private CrlContent() {}

  /**
   * Signs a list, and verifies the signature.
   *
   * @param issuer the certificate of the signer's key
   */
  public static ListAnswer sign(X509Certificate issuer, ContentSigner signer, RevocationList list) {
    AlgorithmIdentifier algorithm = signer.getAlgorithmIdentifier();
    try {
      TBSCertList content = of(Issuer.of(issuer), algorithm, list);
      byte[] signed = content.getEncoded("DER");
      try (OutputStream stream = signer.getOutputStream()) {
        stream.write(signed);
      }
      byte[] signature = signer.getSignature();
      // INVARIANT: modules return garbage with CKR_OK; none of it leaves as a list.
      return new SignatureCheck(issuer.getPublicKey(), algorithm).verifies(signed, signature)
          ? new ListAnswer.Signed(whole(content, algorithm, signature))
          : new ListAnswer.NotSigned("the signature does not verify");
    } catch (RuntimeOperatorException e) {
      return new ListAnswer.NotSigned("the key did not sign: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] whole(TBSCertList content, AlgorithmIdentifier algorithm, byte[] signature)
      throws IOException {
    ASN1EncodableVector all = new ASN1EncodableVector(3);
    all.add(content);
    all.add(algorithm);
    all.add(new DERBitString(signature));
    return new DERSequence(all).getEncoded("DER");
  }

  static TBSCertList of(Issuer issuer, AlgorithmIdentifier algorithm, RevocationList list)
      throws IOException {
    V2TBSCertListGenerator generator = new V2TBSCertListGenerator();
    generator.setIssuer(issuer.name());
    generator.setSignature(algorithm);
    generator.setThisUpdate(time(list.thisUpdate()));
    generator.setNextUpdate(time(list.nextUpdate()));
    for (Revocation revoked : list.revocations()) {
      ASN1Integer serial = new ASN1Integer(revoked.serial());
      if (revoked.reason() == RevocationReason.UNSPECIFIED) {
        // RFC 5280, section 5.3.1: absent rather than unspecified.
        generator.addCRLEntry(serial, time(revoked.at()), (Extensions) null);
      } else {
        generator.addCRLEntry(serial, time(revoked.at()), reason(revoked.reason()));
      }
    }
    generator.setExtensions(extensions(issuer, list));
    return generator.generateTBSCertList();
  }

  private static Extensions reason(RevocationReason reason) throws IOException {
    return new Extensions(
        new Extension(
            Extension.reasonCode, false, CRLReason.lookup(reason.code()).getEncoded("DER")));
  }

  private static Extensions extensions(Issuer issuer, RevocationList list) throws IOException {
    GeneralName[] addresses =
        list.addresses().stream()
            .map(each -> new GeneralName(GeneralName.uniformResourceIdentifier, each.toString()))
            .toArray(GeneralName[]::new);
    boolean authorities = list.shard().isOfAuthorities();
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    extensions.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        new AuthorityKeyIdentifier(issuer.keyIdentifier()));
    extensions.addExtension(Extension.cRLNumber, false, new CRLNumber(list.number()));
    extensions.addExtension(
        Extension.issuingDistributionPoint,
        true,
        new IssuingDistributionPoint(
            new DistributionPointName(new GeneralNames(addresses)),
            !authorities,
            authorities,
            null,
            false,
            false));
    return extensions.generate();
  }

  private static Time time(Instant instant) {
    return new Time(Date.from(instant.truncatedTo(ChronoUnit.SECONDS)), Locale.ROOT);
  }
}
