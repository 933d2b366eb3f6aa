package org.keywell.ca.ocsp;

import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.operator.bc.BcDigestCalculatorProvider;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.ServiceUse;
import org.keywell.ca.token.SoftwareCa;

/** What answers OCSP requests, with a key in software. */
public final class SampleUnit {

  private SampleUnit() {}

  /** For the certificates of this CA. */
  public static OcspUnit of(IssuingKey ca, Duration validity) {
    IssuingKey key =
        SoftwareCa.certified(ServiceUse.OCSP, ca, URI.create("http://ca.example.org/"), validity);
    return new OcspUnit(message -> Optional.of(sign(key, message)), key.chain());
  }

  /** Answers of each kind, in DER, by what they say. */
  public static Map<String, byte[]> answers(IssuingKey ca) throws Exception {
    Instant now = Instant.now();
    OCSPReqBuilder request = new OCSPReqBuilder();
    CertificateID certificate =
        new CertificateID(
            new BcDigestCalculatorProvider().get(CertificateID.HASH_SHA1),
            new JcaX509CertificateHolder(ca.certificate()),
            BigInteger.TWO.shiftLeft(140));
    request.addRequest(certificate);
    request.setRequestExtensions(
        new Extensions(
            new Extension(
                OCSPObjectIdentifiers.id_pkix_ocsp_nonce,
                false,
                new DEROctetString(new byte[32]).getEncoded())));
    OcspRequest asked = OcspRequest.parse(request.build().getEncoded()).orElseThrow();
    OcspUnit unit = of(ca, Duration.ofDays(365));
    Map<String, byte[]> answers = new TreeMap<>();
    for (CertificateStatus status :
        List.of(
            new CertificateStatus.Good(),
            new CertificateStatus.Unknown(),
            new CertificateStatus.Revoked(
                new Revocation(
                    certificate.getSerialNumber(), now, RevocationReason.KEY_COMPROMISE)))) {
      answers.put(
          status.getClass().getSimpleName(),
          unit.answer(asked, _ -> status, now, Duration.ofMinutes(10)).response());
    }
    for (OcspAnswer.Failure failure : OcspAnswer.Failure.values()) {
      answers.put(failure.name(), new OcspAnswer.Failed(failure).response());
    }
    return answers;
  }

  private static byte[] sign(IssuingKey key, byte[] message) {
    try {
      Signature signer = Signature.getInstance("SHA256withECDSA", key.provider());
      signer.initSign(key.privateKey());
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
