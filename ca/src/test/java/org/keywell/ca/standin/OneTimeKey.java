package org.keywell.ca.standin;

import java.security.GeneralSecurityException;
import java.security.Signature;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.DigestInfo;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.engines.RSABlindedEngine;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.bouncycastle.crypto.util.DigestFactory;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;

/** A key in memory that signs digests as the service's keys do. */
record OneTimeKey(SubjectKeyPair pair, ProofScheme scheme, ProofDigest digest) {

  static OneTimeKey of(String keySpec, ProofScheme scheme, ProofDigest digest) {
    SubjectKeyPair pair =
        switch (keySpec) {
          case "RSA-2048" -> SubjectKeyPair.rsa(2048);
          case "EC-P256" -> SubjectKeyPair.ec("secp256r1");
          default -> throw new AssertionError(keySpec);
        };
    return new OneTimeKey(pair, scheme, digest);
  }

  byte[] sign(byte[] hash) {
    try {
      return switch (scheme) {
        case RSASSA_PKCS1_V1_5 -> signRaw("NONEwithRSA", digestInfo(hash));
        case ECDSA -> signRaw("NONEwithECDSA", hash);
        case RSASSA_PSS -> signPss(hash);
        case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> signRaw(scheme.label(), hash);
      };
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private byte[] signRaw(String algorithm, byte[] content) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(pair.privateKey());
    signature.update(content);
    return signature.sign();
  }

  private byte[] digestInfo(byte[] hash) throws Exception {
    AlgorithmIdentifier identifier =
        new AlgorithmIdentifier(
            new DefaultDigestAlgorithmIdentifierFinder().find(digest.label()).getAlgorithm(),
            DERNull.INSTANCE);
    return new DigestInfo(identifier, hash).getEncoded("DER");
  }

  private byte[] signPss(byte[] hash) throws Exception {
    PSSSigner signer =
        PSSSigner.createRawSigner(
            new RSABlindedEngine(), hashFunction(), hashFunction(), hash.length, (byte) 0xbc);
    signer.init(
        true,
        new ParametersWithRandom(PrivateKeyFactory.createKey(pair.privateKey().getEncoded())));
    signer.update(hash, 0, hash.length);
    return sign(signer);
  }

  private static byte[] sign(PSSSigner signer) throws CryptoException {
    return signer.generateSignature();
  }

  private Digest hashFunction() {
    return switch (digest) {
      case SHA_256 -> DigestFactory.createSHA256();
      case SHA_384 -> DigestFactory.createSHA384();
      case SHA_512 -> DigestFactory.createSHA512();
    };
  }
}
