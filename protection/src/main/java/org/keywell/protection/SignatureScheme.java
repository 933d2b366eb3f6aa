package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSASSAPSSparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** The signature schemes that are accepted. */
public enum SignatureScheme {
  /** PKCS #1 v1.5. */
  RSASSA_PKCS1_V1_5("RSA"),
  /** With a salt as long as the hash, and MGF1 by the same hash. */
  RSASSA_PSS("RSA"),
  /** On P-256, P-384 or P-521. */
  ECDSA("EC");

  private final String keyAlgorithm;

  SignatureScheme(String keyAlgorithm) {
    this.keyAlgorithm = keyAlgorithm;
  }

  /** What the JDK calls keys of this scheme. */
  String keyAlgorithm() {
    return keyAlgorithm;
  }

  /** The identifiers accepted for this scheme; the first is the one to write. */
  List<AlgorithmIdentifier> identifiers(Digest digest) {
    return switch (this) {
      case RSASSA_PKCS1_V1_5 ->
          List.of(
              new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
              new AlgorithmIdentifier(
                  switch (digest) {
                    case SHA_256 -> PKCSObjectIdentifiers.sha256WithRSAEncryption;
                    case SHA_384 -> PKCSObjectIdentifiers.sha384WithRSAEncryption;
                    case SHA_512 -> PKCSObjectIdentifiers.sha512WithRSAEncryption;
                  },
                  DERNull.INSTANCE));
      case RSASSA_PSS -> List.of(pss(digest, true), pss(digest, false));
      case ECDSA ->
          List.of(
              new AlgorithmIdentifier(
                  switch (digest) {
                    case SHA_256 -> X9ObjectIdentifiers.ecdsa_with_SHA256;
                    case SHA_384 -> X9ObjectIdentifiers.ecdsa_with_SHA384;
                    case SHA_512 -> X9ObjectIdentifiers.ecdsa_with_SHA512;
                  }));
    };
  }

  private static AlgorithmIdentifier pss(Digest digest, boolean withNull) {
    AlgorithmIdentifier hash = digest.identifier(withNull);
    return new AlgorithmIdentifier(
        PKCSObjectIdentifiers.id_RSASSA_PSS,
        new RSASSAPSSparams(
            hash,
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, hash),
            new ASN1Integer(digest.length()),
            RSASSAPSSparams.DEFAULT_TRAILER_FIELD));
  }

  /** Returns a new engine, without a key. */
  Signature engine(Digest digest) throws GeneralSecurityException {
    String hash = digest.label().replace("-", "");
    return switch (this) {
      case RSASSA_PKCS1_V1_5 -> Signature.getInstance(hash + "withRSA");
      case ECDSA -> Signature.getInstance(hash + "withECDSA");
      case RSASSA_PSS -> {
        Signature engine = Signature.getInstance("RSASSA-PSS");
        engine.setParameter(
            new PSSParameterSpec(
                digest.label(),
                "MGF1",
                digest.mgf1(),
                digest.length(),
                PSSParameterSpec.TRAILER_FIELD_BC));
        yield engine;
      }
    };
  }
}
