package org.keywell.ca.issuance;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.digests.NullDigest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.bouncycastle.crypto.signers.RSADigestSigner;
import org.bouncycastle.crypto.signers.StandardDSAEncoding;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.ProofOfPossession.SignedRequest;

/** Verifies possession of a private key by what it signed. */
final class PossessionCheck {
  /** RFC 8017, section 9.1.1: the trailer of EMSA-PSS. */
  private static final byte PSS_TRAILER = (byte) 0xBC;

  private PossessionCheck() {}

  /** Whether the private key of {@code key} made the proof; false if the proof is malformed. */
  static boolean holds(SubjectKey key, ProofOfPossession proof) {
    try {
      return switch (proof) {
        case SignedDigest signed -> signedByKey(key, signed);
        case SignedRequest signed -> signedByKey(key, signed.request());
      };
    } catch (IOException | RuntimeException e) {
      // Bouncy Castle reports malformed signatures with various exceptions.
      return false;
    }
  }

  /** Requires a request for this very key; a request for another key proves nothing. */
  private static boolean signedByKey(SubjectKey key, byte[] der) throws IOException {
    CertificationRequest request = CertificationRequest.getInstance(der);
    CertificationRequestInfo info = request.getCertificationRequestInfo();
    Optional<ProofAlgorithms> algorithms = ProofAlgorithms.of(request.getSignatureAlgorithm());
    // Parsing is lenient and the hash covers a re-encoding: accept only what was DER already.
    if (algorithms.isEmpty()
        || !info.getSubjectPublicKeyInfo().equals(key.info())
        || !Arrays.equals(request.getEncoded("DER"), der)) {
      return false;
    }
    byte[] signed = algorithms.get().signed(info.getEncoded("DER"));
    return signedByKey(
        key,
        new SignedDigest(
            algorithms.get().scheme(),
            algorithms.get().digest(),
            signed,
            request.getSignature().getOctets()));
  }

  private static boolean signedByKey(SubjectKey key, SignedDigest proof) throws IOException {
    return (proof.scheme().signsMessages()
            || proof.digest().length == proof.digestAlgorithm().lengthBytes())
        && verifies(key, proof);
  }

  private static boolean verifies(SubjectKey key, SignedDigest proof) throws IOException {
    return switch (key) {
      case SubjectKey.Rsa rsa ->
          switch (proof.scheme()) {
            case RSASSA_PKCS1_V1_5 -> rsaHolds(pkcs1(proof.digestAlgorithm()), rsa.key(), proof);
            case RSASSA_PSS -> rsaHolds(pss(proof.digestAlgorithm()), rsa.key(), proof);
            case ECDSA, ML_DSA_44, ML_DSA_65, ML_DSA_87 -> false;
          };
      case SubjectKey.Ec ec ->
          switch (proof.scheme()) {
            case ECDSA -> ecdsaHolds(ec, proof);
            case RSASSA_PKCS1_V1_5, RSASSA_PSS, ML_DSA_44, ML_DSA_65, ML_DSA_87 -> false;
          };
      case SubjectKey.MlDsa mlDsa ->
          mlDsa.scheme() == proof.scheme()
              && MlDsaKeys.holds(mlDsa.key(), proof.digest(), proof.signature());
    };
  }

  private static boolean rsaHolds(Signer signer, RSAKeyParameters key, SignedDigest proof) {
    // RFC 8017, sections 8.1.2 and 8.2.2, step 1.
    if (proof.signature().length != (key.getModulus().bitLength() + 7) / 8) {
      return false;
    }
    signer.init(false, key);
    signer.update(proof.digest(), 0, proof.digest().length);
    return signer.verifySignature(proof.signature());
  }

  private static Signer pkcs1(ProofDigest digest) {
    ASN1ObjectIdentifier hash =
        switch (digest) {
          case SHA_256 -> NISTObjectIdentifiers.id_sha256;
          case SHA_384 -> NISTObjectIdentifiers.id_sha384;
          case SHA_512 -> NISTObjectIdentifiers.id_sha512;
        };
    return new RSADigestSigner(new NullDigest(), hash);
  }

  private static Signer pss(ProofDigest digest) {
    return PSSSigner.createRawSigner(
        new RSAEngine(), hash(digest), hash(digest), digest.lengthBytes(), PSS_TRAILER);
  }

  private static Digest hash(ProofDigest digest) {
    return switch (digest) {
      case SHA_256 -> new SHA256Digest();
      case SHA_384 -> new SHA384Digest();
      case SHA_512 -> new SHA512Digest();
    };
  }

  private static boolean ecdsaHolds(SubjectKey.Ec ec, SignedDigest proof) throws IOException {
    BigInteger[] rs =
        StandardDSAEncoding.INSTANCE.decode(ec.key().getParameters().getN(), proof.signature());
    ECDSASigner signer = new ECDSASigner();
    signer.init(false, ec.key());
    return signer.verifySignature(proof.digest(), rs[0], rs[1]);
  }
}
