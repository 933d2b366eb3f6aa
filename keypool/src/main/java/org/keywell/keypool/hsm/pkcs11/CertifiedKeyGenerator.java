package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates pairs whose private keys are session objects, for signing only, and never leave the
 * token. They live until they are destroyed or the process ends, unless {@link CertifiedKeyStore}
 * moves them to the token.
 */
final class CertifiedKeyGenerator extends KeyPairGeneratorSpi {
  private static final Logger log = LoggerFactory.getLogger(CertifiedKeyGenerator.class);

  /** The algorithms, by their names in the JCA. */
  enum Kind {
    EC,
    RSA
  }

  private final Kind kind;
  private final TokenSessions sessions;
  private final Mechanisms mechanisms;
  private final Brand brand;
  private final Signing signing;
  private @Nullable KeySpec spec;

  CertifiedKeyGenerator(
      Kind kind, TokenSessions sessions, Mechanisms mechanisms, Brand brand, Signing signing) {
    this.kind = kind;
    this.sessions = sessions;
    this.mechanisms = mechanisms;
    this.brand = brand;
    this.signing = signing;
  }

  @Override
  public void initialize(int bits, SecureRandom random) {
    throw new InvalidParameterException("name the curve, or the exponent");
  }

  @Override
  public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    spec =
        switch (parameters) {
          case ECGenParameterSpec curve when kind == Kind.EC -> ofCurve(curve.getName());
          case RSAKeyGenParameterSpec rsa
              when kind == Kind.RSA && rsa.getPublicExponent().equals(RSAKeyGenParameterSpec.F4) ->
              ofModulus(rsa.getKeysize());
          default -> throw new InvalidAlgorithmParameterException("not made here");
        };
  }

  private static KeySpec ofCurve(String name) throws InvalidAlgorithmParameterException {
    return switch (name) {
      case "secp256r1" -> KeySpec.EC_P256;
      case "secp384r1" -> KeySpec.EC_P384;
      default -> throw new InvalidAlgorithmParameterException("no keys on " + name);
    };
  }

  private static KeySpec ofModulus(int bits) throws InvalidAlgorithmParameterException {
    return switch (bits) {
      case 2048 -> KeySpec.RSA_2048;
      case 3072 -> KeySpec.RSA_3072;
      case 4096 -> KeySpec.RSA_4096;
      default -> throw new InvalidAlgorithmParameterException("no RSA keys of " + bits + " bits");
    };
  }

  @Override
  public KeyPair generateKeyPair() {
    if (spec == null) {
      throw new IllegalStateException("no kind of key was named");
    }
    KeySpec kindOfKey = spec;
    try (Arena arena = Arena.ofConfined()) {
      KeyTemplates templates = KeyTemplates.of(kindOfKey, brand, arena);
      KeyPairGeneration generation =
          new KeyPairGeneration(mechanisms, 0, key -> log.warn("{} stays", key));
      LiveKeyPair pair =
          sessions.in(session ->
              generation.generate(
                  session, kindOfKey, templates.publicKey(), templates.privateKey()));
      return new KeyPair(
          KeyFactory.getInstance(kind.name())
              .generatePublic(new X509EncodedKeySpec(pair.publicKey())),
          CertifiedKey.generated(sessions, signing, pair.privateKey()));
    } catch (HsmException | GeneralSecurityException e) {
      throw new ProviderException("no key pair of " + kindOfKey + ": " + e.getMessage(), e);
    }
  }
}
