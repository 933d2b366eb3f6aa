package org.keywell.ca.ocsp;

import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERGeneralizedTime;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.RevokedInfo;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcDigestCalculatorProvider;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.issuance.FallibleSigner;
import org.keywell.ca.ocsp.CertificateStatus.Good;
import org.keywell.ca.ocsp.CertificateStatus.Revoked;
import org.keywell.ca.ocsp.CertificateStatus.Unknown;
import org.keywell.ca.ocsp.OcspAnswer.Answered;
import org.keywell.ca.ocsp.OcspAnswer.Failed;
import org.keywell.ca.ocsp.OcspAnswer.Failure;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;

/**
 * Answers for the certificates of one CA, with a key on P-256 that this CA has certified for it
 * (RFC 6960, section 4.2.2.2). Thread-safe.
 */
public final class OcspUnit {

  /** Clients of RFC 5019 name the issuer by SHA-1, which need not resist collisions there. */
  private static final Map<ASN1ObjectIdentifier, String> DIGESTS =
      Map.of(OIWObjectIdentifiers.idSHA1, "SHA-1", NISTObjectIdentifiers.id_sha256, "SHA-256");

  /** RFC 5280, section 4.1.2.2. */
  private static final int MAX_SERIAL_BITS = 160;

  private final Function<byte[], Optional<byte[]>> sign;
  private final X509CertificateHolder certificate;
  private final RespID name;
  private final String issuer;
  private final Map<ASN1ObjectIdentifier, Issuer> issuers;

  /** Hashes, in hexadecimal digits, as requests have them. */
  private record Issuer(String nameHash, String keyHash) {}

  /**
   * @param sign returns an ECDSA signature over SHA-256 of a message, as RFC 3279 encodes it; empty
   *     if the key cannot sign now. Thread-safe
   * @param chain the unit's own certificate first, then the CA's
   * @throws IllegalArgumentException if the certificate is not for the signing of these answers
   */
  public OcspUnit(Function<byte[], Optional<byte[]>> sign, List<X509Certificate> chain) {
    this.sign = sign;
    try {
      this.certificate = new JcaX509CertificateHolder(chain.getFirst());
      ExtendedKeyUsage usage = ExtendedKeyUsage.fromExtensions(certificate.getExtensions());
      if (usage == null || !usage.hasKeyPurposeId(KeyPurposeId.id_kp_OCSPSigning)) {
        throw new IllegalArgumentException(
            "the certificate is not for the signing of OCSP answers");
      }
      X509CertificateHolder ca = new JcaX509CertificateHolder(chain.get(1));
      this.issuer = HexFormat.of().formatHex(CrlShard.issuer(chain.get(1)));
      this.issuers =
          DIGESTS.entrySet().stream()
              .collect(
                  Collectors.toUnmodifiableMap(
                      Map.Entry::getKey, digest -> issuer(ca, digest.getValue())));
      this.name =
          new RespID(
              certificate.getSubjectPublicKeyInfo(),
              new BcDigestCalculatorProvider().get(RespID.HASH_SHA1));
    } catch (CertificateEncodingException | OperatorCreationException | OCSPException e) {
      throw new IllegalArgumentException("a certificate of the chain", e);
    }
  }

  private static Issuer issuer(X509CertificateHolder ca, String algorithm) {
    try {
      return new Issuer(
          hash(algorithm, ca.getSubject().getEncoded("DER")),
          hash(algorithm, ca.getSubjectPublicKeyInfo().getPublicKeyData().getBytes()));
    } catch (IOException e) {
      throw new IllegalArgumentException("the name of a CA", e);
    }
  }

  private static String hash(String algorithm, byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has it", e);
    }
  }

  /** Returns the identifier of the CA's key, in lower-case hexadecimal digits. */
  public String issuer() {
    return issuer;
  }

  /**
   * Answers a request.
   *
   * @param statuses finds the status of a serial number of this CA; what it throws is passed on
   * @param validity of the answer, which ends with the unit's certificate at the latest
   */
  public OcspAnswer answer(
      OcspRequest request,
      Function<BigInteger, CertificateStatus> statuses,
      Instant at,
      Duration validity) {
    Instant now = at.truncatedTo(ChronoUnit.SECONDS);
    if (!request.certificates().stream().allMatch(this::isOfIssuer)) {
      return new Failed(Failure.UNAUTHORIZED);
    }
    if (!certificate.isValidOn(Date.from(now))) {
      return new Failed(Failure.INTERNAL_ERROR);
    }
    List<CertificateStatus> found = new ArrayList<>();
    for (CertificateID one : request.certificates()) {
      BigInteger serial = one.getSerialNumber();
      boolean isPossible = serial.signum() > 0 && serial.bitLength() <= MAX_SERIAL_BITS;
      found.add(isPossible ? statuses.apply(serial) : new Unknown());
    }
    Instant nextUpdate =
        Stream.of(now.plus(validity), certificate.getNotAfter().toInstant())
            .min(Instant::compareTo)
            .orElseThrow();
    FallibleSigner signer = new FallibleSigner(certificate.getSubjectPublicKeyInfo(), sign);
    try {
      byte[] response =
          new OCSPRespBuilder()
              .build(
                  OCSPRespBuilder.SUCCESSFUL,
                  content(request, found, now, nextUpdate)
                      .build(signer, new X509CertificateHolder[] {certificate}, Date.from(now)))
              .getEncoded();
      boolean repeatable =
          request.repeatable().isPresent() && !(found.getFirst() instanceof Unknown);
      return new Answered(response, found, now, nextUpdate, repeatable);
    } catch (OCSPException | IOException e) {
      if (signer.hasFailed()) {
        return new Failed(Failure.TRY_LATER);
      }
      throw new IllegalStateException("an OCSP answer cannot be made", e);
    }
  }

  private BasicOCSPRespBuilder content(
      OcspRequest request, List<CertificateStatus> found, Instant now, Instant nextUpdate) {
    BasicOCSPRespBuilder content = new BasicOCSPRespBuilder(name);
    for (int i = 0; i < found.size(); i++) {
      content.addResponse(
          request.certificates().get(i),
          encoded(found.get(i)),
          Date.from(now),
          Date.from(nextUpdate));
    }
    request.nonce().ifPresent(nonce -> content.setResponseExtensions(new Extensions(nonce)));
    return content;
  }

  private boolean isOfIssuer(CertificateID one) {
    Issuer known = issuers.get(one.getHashAlgOID());
    return known != null
        && known.nameHash().equals(HexFormat.of().formatHex(one.getIssuerNameHash()))
        && known.keyHash().equals(HexFormat.of().formatHex(one.getIssuerKeyHash()));
  }

  /** Good is null there. */
  private static org.bouncycastle.cert.ocsp.@Nullable CertificateStatus encoded(
      CertificateStatus status) {
    return switch (status) {
      case Good _ -> null;
      case Unknown _ -> new UnknownStatus();
      case Revoked(Revocation revocation) -> {
        ASN1GeneralizedTime at = new DERGeneralizedTime(Date.from(revocation.at()));
        yield new RevokedStatus(
            new RevokedInfo(
                at,
                revocation.reason() == RevocationReason.UNSPECIFIED
                    ? null
                    : CRLReason.lookup(revocation.reason().code())));
      }
    };
  }
}
