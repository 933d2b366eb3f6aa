package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/** Each {@code CK_MECHANISM} in use, built once; modules only read them. */
final class Mechanisms {
  static final long CKM_RSA_PKCS_KEY_PAIR_GEN = 0x0;
  static final long CKM_RSA_PKCS = 0x1;
  private static final long CKM_RSA_PKCS_OAEP = 0x9;
  private static final long CKM_RSA_PKCS_PSS = 0xD;
  static final long CKM_ML_DSA_KEY_PAIR_GEN = 0x1C;
  static final long CKM_ML_DSA = 0x1D;
  private static final long CKM_SHA256_HMAC = 0x251;
  private static final long CKM_SHA384_HMAC = 0x261;
  private static final long CKM_SHA512_HMAC = 0x271;
  private static final long CKM_GENERIC_SECRET_KEY_GEN = 0x350;
  static final long CKM_EC_KEY_PAIR_GEN = 0x1040;
  static final long CKM_ECDSA = 0x1041;
  private static final long CKM_EC_EDWARDS_KEY_PAIR_GEN = 0x1055;
  private static final long CKM_EDDSA = 0x1057;
  private static final long CKM_AES_KEY_GEN = 0x1080;
  private static final long CKM_AES_ECB = 0x1081;
  private static final long CKM_AES_CBC = 0x1082;
  private static final long CKM_AES_CBC_PAD = 0x1085;
  private static final long CKM_AES_CTR = 0x1086;
  private static final long CKM_AES_GCM = 0x1087;
  private static final long CKM_AES_KEY_WRAP = 0x2109;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment keyWrap;
  private final MemorySegment unpaddedKeyWrap = mechanism(CKM_AES_KEY_WRAP, MemorySegment.NULL);
  private final MemorySegment secretKeyGen =
      mechanism(CKM_GENERIC_SECRET_KEY_GEN, MemorySegment.NULL);
  private final MemorySegment aesKeyGen = mechanism(CKM_AES_KEY_GEN, MemorySegment.NULL);
  private final Map<KeyKind, MemorySegment> keyPairGen = new EnumMap<>(KeyKind.class);
  private final MemorySegment rsaPkcs1 = mechanism(CKM_RSA_PKCS, MemorySegment.NULL);
  private final MemorySegment ecdsa = mechanism(CKM_ECDSA, MemorySegment.NULL);
  private final MemorySegment mlDsa = mechanism(CKM_ML_DSA, MemorySegment.NULL);
  private final MemorySegment rsaOaep = mechanism(CKM_RSA_PKCS_OAEP, oaepParameters());
  private final Map<DigestAlgorithm, MemorySegment> rsaPss = new EnumMap<>(DigestAlgorithm.class);
  private final Map<DigestAlgorithm, MemorySegment> hmac = new EnumMap<>(DigestAlgorithm.class);

  Mechanisms(Brand brand) {
    keyWrap = mechanism(brand.keyWrapMechanism(), MemorySegment.NULL);
    for (KeyKind kind : KeyKind.values()) {
      keyPairGen.put(kind, mechanism(kind.keyPairGen(), MemorySegment.NULL));
    }
    for (DigestAlgorithm digest : DigestAlgorithm.values()) {
      rsaPss.put(digest, mechanism(CKM_RSA_PKCS_PSS, pssParameters(digest)));
      hmac.put(digest, mechanism(hmacNumber(digest), MemorySegment.NULL));
    }
  }

  MemorySegment keyWrap() {
    return keyWrap;
  }

  /** AES key wrap without padding (RFC 3394). */
  MemorySegment unpaddedKeyWrap() {
    return unpaddedKeyWrap;
  }

  MemorySegment secretKeyGen() {
    return secretKeyGen;
  }

  MemorySegment hmac(DigestAlgorithm digest) {
    return hmac.getOrDefault(digest, MemorySegment.NULL);
  }

  MemorySegment aesKeyGen() {
    return aesKeyGen;
  }

  MemorySegment keyPairGen(KeySpec.Algorithm algorithm) {
    return Objects.requireNonNull(keyPairGen.get(KeyKind.of(algorithm)));
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
      // Without a parameter: CKH_HEDGE_PREFERRED and no context.
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> mlDsa;
    };
  }

  static MemorySegment cipher(Arena arena, CipherCall call) {
    return switch (call.mode()) {
      case ECB -> mechanism(arena, CKM_AES_ECB, MemorySegment.NULL);
      case CBC -> mechanism(arena, CKM_AES_CBC, arena.allocateFrom(JAVA_BYTE, call.iv()));
      case CBC_PAD -> mechanism(arena, CKM_AES_CBC_PAD, arena.allocateFrom(JAVA_BYTE, call.iv()));
      case CTR -> mechanism(arena, CKM_AES_CTR, counterParameters(arena, call.iv()));
      case GCM -> mechanism(arena, CKM_AES_GCM, gcmParameters(arena, call));
    };
  }

  /** {@code CK_AES_CTR_PARAMS}: how many bits of the block count, and the first block. */
  private static MemorySegment counterParameters(Arena arena, byte[] block) {
    MemorySegment parameters = arena.allocate(Long.BYTES + block.length, 8);
    parameters.set(JAVA_LONG, 0, 8L * block.length);
    MemorySegment.copy(block, 0, parameters, JAVA_BYTE, Long.BYTES, block.length);
    return parameters;
  }

  /**
   * {@code CK_GCM_PARAMS}: the IV with its length in bytes and in bits, the AAD, the tag's bits.
   */
  private static MemorySegment gcmParameters(Arena arena, CipherCall call) {
    MemorySegment parameters = arena.allocate(48, 8);
    parameters.set(ADDRESS, 0, arena.allocateFrom(JAVA_BYTE, call.iv()));
    parameters.set(JAVA_LONG, 8, call.iv().length);
    parameters.set(JAVA_LONG, 16, 8L * call.iv().length);
    parameters.set(ADDRESS, 24, arena.allocateFrom(JAVA_BYTE, call.aad()));
    parameters.set(JAVA_LONG, 32, call.aad().length);
    parameters.set(JAVA_LONG, 40, 8L * call.tagBytes());
    return parameters;
  }

  private static long hmacNumber(DigestAlgorithm digest) {
    return switch (digest) {
      case SHA_256 -> CKM_SHA256_HMAC;
      case SHA_384 -> CKM_SHA384_HMAC;
      case SHA_512 -> CKM_SHA512_HMAC;
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
