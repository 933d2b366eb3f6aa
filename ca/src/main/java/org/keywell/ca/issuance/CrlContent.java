package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.RuntimeOperatorException;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/** CRLs, and the part of them that is signed (RFC 5280, section 5.1). */
public final class CrlContent {

  private static final ASN1Integer VERSION_2 = new ASN1Integer(1);

  private CrlContent() {}

  /**
   * Signs a list, and verifies the signature.
   *
   * @param issuer the certificate of the signer's key
   */
  public static ListAnswer sign(X509Certificate issuer, ContentSigner signer, RevocationList list) {
    AlgorithmIdentifier algorithm = signer.getAlgorithmIdentifier();
    try {
      byte[] content = of(Issuer.of(issuer), algorithm, list);
      try (OutputStream stream = signer.getOutputStream()) {
        stream.write(content);
      }
      byte[] signature = signer.getSignature();
      // INVARIANT: modules return garbage with CKR_OK; none of it leaves as a list.
      return new SignatureCheck(issuer.getPublicKey(), algorithm).verifies(content, signature)
          ? new ListAnswer.Signed(whole(content, algorithm, signature))
          : new ListAnswer.NotSigned("the signature does not verify");
    } catch (RuntimeOperatorException e) {
      return new ListAnswer.NotSigned("the key did not sign: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns {@code CertificateList}.
   *
   * @param content what {@link #of} returned
   */
  static byte[] whole(byte[] content, AlgorithmIdentifier algorithm, byte[] signature)
      throws IOException {
    return Der.sequence(
        content, algorithm.getEncoded("DER"), new DERBitString(signature).getEncoded("DER"));
  }

  /** Returns {@code TBSCertList}. */
  static byte[] of(Issuer issuer, AlgorithmIdentifier algorithm, RevocationList list)
      throws IOException {
    return Der.sequence(
        VERSION_2.getEncoded("DER"),
        algorithm.getEncoded("DER"),
        issuer.name().getEncoded("DER"),
        time(list.thisUpdate()).getEncoded("DER"),
        time(list.nextUpdate()).getEncoded("DER"),
        CrlEntries.of(list.revocations()),
        new DERTaggedObject(true, 0, extensions(issuer, list)).getEncoded("DER"));
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
