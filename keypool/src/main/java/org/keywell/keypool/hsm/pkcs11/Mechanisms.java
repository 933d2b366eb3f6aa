package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/** Each {@code CK_MECHANISM} in use, built once; modules only read them. */
final class Mechanisms {
  private static final long CKM_RSA_PKCS_KEY_PAIR_GEN = 0x0;
  private static final long CKM_RSA_PKCS = 0x1;
  private static final long CKM_RSA_PKCS_OAEP = 0x9;
  private static final long CKM_RSA_PKCS_PSS = 0xD;
  private static final long CKM_EC_KEY_PAIR_GEN = 0x1040;
  private static final long CKM_ECDSA = 0x1041;
  private static final long CKM_EC_EDWARDS_KEY_PAIR_GEN = 0x1055;
  private static final long CKM_EDDSA = 0x1057;
  private static final long CKM_AES_KEY_GEN = 0x1080;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment keyWrap;
  private final MemorySegment aesKeyGen = mechanism(CKM_AES_KEY_GEN, MemorySegment.NULL);
  private final MemorySegment rsaKeyPairGen =
      mechanism(CKM_RSA_PKCS_KEY_PAIR_GEN, MemorySegment.NULL);
  private final MemorySegment ecKeyPairGen = mechanism(CKM_EC_KEY_PAIR_GEN, MemorySegment.NULL);
  private final MemorySegment rsaPkcs1 = mechanism(CKM_RSA_PKCS, MemorySegment.NULL);
  private final MemorySegment ecdsa = mechanism(CKM_ECDSA, MemorySegment.NULL);
  private final MemorySegment rsaOaep = mechanism(CKM_RSA_PKCS_OAEP, oaepParameters());
  private final Map<DigestAlgorithm, MemorySegment> rsaPss = new EnumMap<>(DigestAlgorithm.class);

  Mechanisms(Brand brand) {
    keyWrap = mechanism(brand.keyWrapMechanism(), MemorySegment.NULL);
    for (DigestAlgorithm digest : DigestAlgorithm.values()) {
      rsaPss.put(digest, mechanism(CKM_RSA_PKCS_PSS, pssParameters(digest)));
    }
  }

  MemorySegment keyWrap() {
    return keyWrap;
  }

  MemorySegment aesKeyGen() {
    return aesKeyGen;
  }

  MemorySegment keyPairGen(KeySpec.Algorithm algorithm) {
    return switch (algorithm) {
      case RSA -> rsaKeyPairGen;
      case EC -> ecKeyPairGen;
    };
  }

  /** RSAES-OAEP (RFC 8017, section 7.1) with SHA-1: all devices have it, SoftHSM has no other. */
  MemorySegment rsaOaep() {
    return rsaOaep;
  }

  static MemorySegment edwardsKeyPairGen(Arena arena) {
    return mechanism(arena, CKM_EC_EDWARDS_KEY_PAIR_GEN, MemorySegment.NULL);
  }

  /** Ed25519 itself: without parameters. */
  static MemorySegment edwardsSigning(Arena arena) {
    return mechanism(arena, CKM_EDDSA, MemorySegment.NULL);
  }

  MemorySegment signing(SignatureScheme scheme, DigestAlgorithm digest) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> rsaPkcs1;
      case RSASSA_PSS -> rsaPss.getOrDefault(digest, MemorySegment.NULL);
      case ECDSA -> ecdsa;
    };
  }

  /** {@code CK_MECHANISM}: number, pointer to the parameter, length of the parameter. */
  private MemorySegment mechanism(long number, MemorySegment parameter) {
    return mechanism(arena, number, parameter);
  }

  private static MemorySegment mechanism(Arena arena, long number, MemorySegment parameter) {
    MemorySegment mechanism = arena.allocate(24, 8);
    mechanism.set(JAVA_LONG, 0, number);
    mechanism.set(ADDRESS, 8, parameter);
    mechanism.set(JAVA_LONG, 16, parameter.byteSize());
    return mechanism;
  }

  /** {@code CK_RSA_PKCS_OAEP_PARAMS}: CKM_SHA_1, CKG_MGF1_SHA1, CKZ_DATA_SPECIFIED, no label. */
  private MemorySegment oaepParameters() {
    return arena.allocateFrom(JAVA_LONG, 0x220, 1, 1, 0, 0);
  }

  /** {@code CK_RSA_PKCS_PSS_PARAMS}: CKM_* of the hash, CKG_MGF1_* of the same, salt length. */
  private MemorySegment pssParameters(DigestAlgorithm digest) {
    long hash =
        switch (digest) {
          case SHA_256 -> 0x250;
          case SHA_384 -> 0x260;
          case SHA_512 -> 0x270;
        };
    long mgf =
        switch (digest) {
          case SHA_256 -> 2;
          case SHA_384 -> 3;
          case SHA_512 -> 4;
        };
    return arena.allocateFrom(JAVA_LONG, hash, mgf, digest.lengthBytes());
  }
}
