package org.keywell.ca.timestamp;

import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.cmp.PKIFailureInfo;
import org.bouncycastle.asn1.cmp.PKIStatus;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.SignerInfoGenerator;
import org.bouncycastle.cms.SignerInfoGeneratorBuilder;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcDigestCalculatorProvider;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TSPException;
import org.bouncycastle.tsp.TSPValidationException;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampResponseGenerator;
import org.bouncycastle.tsp.TimeStampTokenGenerator;
import org.bouncycastle.util.CollectionStore;
import org.keywell.ca.issuance.FallibleSigner;
import org.keywell.ca.ocsp.DerShape;
import org.keywell.ca.timestamp.StampAnswer.Failure;
import org.keywell.ca.timestamp.StampAnswer.Granted;
import org.keywell.ca.timestamp.StampAnswer.Rejected;

/**
 * Answers requests for time stamps with one key (RFC 3161; ETSI EN 319 422). Its certificate is
 * named by a hash in each (RFC 5816). Thread-safe.
 */
public final class TimeStampUnit {

  /** Above the largest request of these hash functions, whatever its nonce. */
  public static final int MAX_REQUEST_BYTES = 4 * 1024;

  /** More than a request with extensions needs, which are refused. */
  private static final int MAX_DEPTH = 8;

  /** RFC 3161 counts SHA-1 as well; it no longer resists collisions. */
  private static final Set<ASN1ObjectIdentifier> DIGESTS =
      Set.of(
          TSPAlgorithms.SHA256,
          TSPAlgorithms.SHA384,
          TSPAlgorithms.SHA512,
          NISTObjectIdentifiers.id_sha3_256,
          NISTObjectIdentifiers.id_sha3_384,
          NISTObjectIdentifiers.id_sha3_512);

  private static final AlgorithmIdentifier SHA256 = new AlgorithmIdentifier(TSPAlgorithms.SHA256);
  private static final DigestCalculatorProvider DIGEST_CALCULATORS =
      new BcDigestCalculatorProvider();

  private final Function<byte[], Optional<byte[]>> sign;
  private final X509CertificateHolder certificate;
  private final CollectionStore<X509CertificateHolder> certificates;
  private final TimeStampPolicy policy;

  /**
   * @param sign as for {@link FallibleSigner}. Thread-safe
   * @param chain the unit's own certificate first, a root last, which tokens leave out
   * @throws IllegalArgumentException if the certificate is not for time stamps alone
   */
  public TimeStampUnit(
      Function<byte[], Optional<byte[]>> sign,
      List<X509Certificate> chain,
      TimeStampPolicy policy) {
    this.sign = sign;
    this.policy = policy;
    try {
      List<X509CertificateHolder> holders =
          chain.subList(0, Math.max(1, chain.size() - 1)).stream()
              .map(TimeStampUnit::holder)
              .toList();
      this.certificate = holders.getFirst();
      this.certificates = new CollectionStore<>(holders);
      TimeStampTokenGenerator _ = generator(signer());
    } catch (TSPException | OperatorCreationException e) {
      throw new IllegalArgumentException(
          "the certificate is not for time stamps: " + e.getMessage(), e);
    }
  }

  private static X509CertificateHolder holder(X509Certificate certificate) {
    try {
      return new JcaX509CertificateHolder(certificate);
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("a certificate of the chain", e);
    }
  }

  /**
   * Answers a request.
   *
   * @param request a {@code TimeStampReq}, DER
   * @param time now, truncated to the millisecond; empty: the clock is in doubt
   * @param serial used for no other time stamp of this unit
   */
  public StampAnswer answer(byte[] request, Optional<Instant> time, BigInteger serial) {
    Optional<TimeStampRequest> read = parse(request);
    if (read.isEmpty()) {
      return rejected(Failure.BAD_DATA_FORMAT, "this is not one TimeStampReq in DER");
    }
    TimeStampRequest parsed = read.get();
    if (parsed.getVersion() != 1) {
      return rejected(Failure.BAD_REQUEST, "the version is not 1");
    }
    if (parsed.hasExtensions()) {
      return rejected(Failure.UNACCEPTED_EXTENSION, "no extension is known");
    }
    if (time.isEmpty()) {
      return rejected(Failure.TIME_NOT_AVAILABLE, "the clock is in doubt");
    }
    Instant now = time.get().truncatedTo(ChronoUnit.MILLIS);
    if (!certificate.isValidOn(Date.from(now))) {
      return rejected(Failure.SYSTEM_FAILURE, "the unit's certificate is not valid now");
    }
    FallibleSigner signer = signer();
    try {
      byte[] response =
          new TimeStampResponseGenerator(
                  generator(signer),
                  DIGESTS,
                  Set.of(new ASN1ObjectIdentifier(policy.identifier())),
                  Set.of())
              .generateGrantedResponse(parsed, serial, Date.from(now))
              .getEncoded();
      return new Granted(
          response,
          serial,
          now,
          parsed.getMessageImprintAlgOID().getId(),
          parsed.getMessageImprintDigest());
    } catch (TSPValidationException e) {
      return rejected(failure(e.getFailureCode()), String.valueOf(e.getMessage()));
    } catch (TSPException | OperatorCreationException | IOException e) {
      if (signer.hasFailed()) {
        return rejected(Failure.SYSTEM_FAILURE, "the key cannot sign now");
      }
      throw new IllegalStateException("a time stamp cannot be made", e);
    }
  }

  private static Optional<TimeStampRequest> parse(byte[] request) {
    if (request.length > MAX_REQUEST_BYTES || !DerShape.isFlat(request, MAX_DEPTH)) {
      return Optional.empty();
    }
    try {
      TimeStampRequest parsed = new TimeStampRequest(request);
      return Optional.of(parsed).filter(read -> isSame(read, request));
    } catch (IOException | RuntimeException e) {
      // Of the parser, these are several of the JDK's and of its own.
      return Optional.empty();
    }
  }

  private static boolean isSame(TimeStampRequest parsed, byte[] request) {
    try {
      return Arrays.equals(parsed.getEncoded(), request);
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory", e);
    }
  }

  /** What old clients know of RSA is its name without the hash function (RFC 5754, section 3.2). */
  private static AlgorithmIdentifier inSignerInfo(AlgorithmIdentifier algorithm) {
    return PKCSObjectIdentifiers.sha256WithRSAEncryption.equals(algorithm.getAlgorithm())
        ? new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE)
        : algorithm;
  }

  private FallibleSigner signer() {
    return new FallibleSigner(certificate.getSubjectPublicKeyInfo(), sign);
  }

  /** Returns one for one token: they are not thread-safe. */
  private TimeStampTokenGenerator generator(FallibleSigner signer)
      throws TSPException, OperatorCreationException {
    DefaultSignedAttributeTableGenerator attributes = new DefaultSignedAttributeTableGenerator();
    SignerInfoGenerator info =
        new SignerInfoGeneratorBuilder(DIGEST_CALCULATORS, TimeStampUnit::inSignerInfo)
            // The only time is that of the token.
            .setSignedAttributeGenerator(parameters ->
                attributes.getAttributes(parameters).remove(CMSAttributes.signingTime))
            .build(signer, certificate);
    TimeStampTokenGenerator generator =
        new TimeStampTokenGenerator(
            info, DIGEST_CALCULATORS.get(SHA256), new ASN1ObjectIdentifier(policy.identifier()));
    generator.addCertificates(certificates);
    generator.setResolution(TimeStampTokenGenerator.R_MILLISECONDS);
    generator.setAccuracySeconds(Math.toIntExact(policy.accuracy().toSeconds()));
    if (policy.accuracy().toMillisPart() > 0) {
      generator.setAccuracyMillis(policy.accuracy().toMillisPart());
    }
    return generator;
  }

  private static Failure failure(int code) {
    return switch (code) {
      case PKIFailureInfo.badAlg -> Failure.BAD_ALGORITHM;
      case PKIFailureInfo.badDataFormat -> Failure.BAD_DATA_FORMAT;
      case PKIFailureInfo.unacceptedPolicy -> Failure.UNACCEPTED_POLICY;
      case PKIFailureInfo.unacceptedExtension -> Failure.UNACCEPTED_EXTENSION;
      default -> Failure.BAD_REQUEST;
    };
  }

  private static int code(Failure failure) {
    return switch (failure) {
      case BAD_ALGORITHM -> PKIFailureInfo.badAlg;
      case BAD_REQUEST -> PKIFailureInfo.badRequest;
      case BAD_DATA_FORMAT -> PKIFailureInfo.badDataFormat;
      case TIME_NOT_AVAILABLE -> PKIFailureInfo.timeNotAvailable;
      case UNACCEPTED_POLICY -> PKIFailureInfo.unacceptedPolicy;
      case UNACCEPTED_EXTENSION -> PKIFailureInfo.unacceptedExtension;
      case SYSTEM_FAILURE -> PKIFailureInfo.systemFailure;
    };
  }

  private Rejected rejected(Failure failure, String reason) {
    try {
      byte[] response =
          new TimeStampResponseGenerator(generator(signer()), DIGESTS)
              .generateFailResponse(PKIStatus.REJECTION, code(failure), reason)
              .getEncoded();
      return new Rejected(response, failure, reason);
    } catch (TSPException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("a rejection cannot be made", e);
    }
  }
}
