package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.ProofSignature;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.log.LogPace;

/**
 * Keys and secrets that clients own, kept outside of the token as blobs: the content, encrypted by
 * AES-KWP (RFC 5649) under the device's wrapping key, and a byte that says where it ends. A blob
 * does not say what it is; the call decides, so callers remember it. The private key of a {@link
 * WrappedKey} that this device wrapped is a blob of its PKCS #8.
 *
 * <p>Each call brings what it needs into the token, uses it and destroys it, in one session;
 * nothing stays. Calls take part in the limits and in the reopening of their {@link Pkcs11Hsm}, as
 * its own calls do. Thread-safe.
 *
 * <p>What a call returns is proved: a blob has been unwrapped, data has been processed in the other
 * direction, a content or a key has been wrapped to the same blob again. A device that returns
 * something wrong as good is refused with {@link Reason#FAILED} and counted.
 *
 * <p>All methods throw {@link HsmException}: with {@link Reason#WRAPPED_KEY_INVALID} for a blob
 * that is damaged or of another wrapping key, with {@link Reason#DATA_INVALID} for data that the
 * key does not decrypt or that has a length the mechanism does not take, with {@link
 * Reason#UNSUPPORTED} for what the device does not offer. Sizes outside of the limits stated are an
 * {@link IllegalArgumentException}.
 */
public final class ManagedKeys {
  /** The length of the longest content, in bytes. */
  public static final int MAX_CONTENT_BYTES = 3_000;

  /** By how much RFC 3394 makes a content longer. */
  public static final int WRAPPING_BYTES = Blob.SEMIBLOCK_BYTES;

  /** The most data of one {@link #encrypt}, {@link #decrypt} or {@link #mac}, in bytes. */
  public static final int MAX_DATA_BYTES = 1024 * 1024;

  /** The longest random data of one call. */
  public static final int MAX_RANDOM_BYTES = 4096;

  private static final int MAX_WRAPPED_BYTES = MAX_CONTENT_BYTES + WRAPPING_BYTES;
  private static final int TAG_AND_PADDING_BYTES = 2 * CipherCall.BLOCK_BYTES;

  private final CryptokiLibrary library;
  private final Brand brand;
  private final Mechanisms mechanisms;
  private final Signing signing;
  private final Supplier<Opening> opening;
  private final ResultProofs proofs;
  private final SecureRandom random = new SecureRandom();
  private final LogPace undestroyed = new LogPace(System::nanoTime);
  private final Map<SecretUse, Template> templates = SecretUse.allUnwrapped();

  ManagedKeys(CryptokiLibrary library, Supplier<Opening> opening, ResultProofs proofs) {
    this.proofs = proofs;
    this.library = library;
    this.brand = library.brand();
    this.mechanisms = new Mechanisms(library.brand());
    this.signing = new Signing(mechanisms);
    this.opening = opening;
  }

  /**
   * Generates an AES key in the token.
   *
   * @param bits 128, 192 or 256
   * @return the blob of its value
   */
  public byte[] generateAes(int bits) {
    require(bits == 128 || bits == 192 || bits == 256, "no AES key has " + bits + " bits");
    return generate(mechanisms.aesKeyGen(), Ck.CKK_AES, bits / 8);
  }

  /**
   * Generates a secret in the token, such as an HMAC key.
   *
   * @param bytes 16 to 64
   * @return the blob of its value
   */
  public byte[] generateSecret(int bytes) {
    requireLength("a secret", bytes, 16, 64);
    return generate(mechanisms.secretKeyGen(), Ck.CKK_GENERIC_SECRET, bytes);
  }

  private byte[] generate(MemorySegment mechanism, long keyType, int bytes) {
    return inSession(session -> {
      long key = session.generate(mechanism, keyType, bytes);
      return session.proved(session.wrap(key, bytes), key);
    });
  }

  /**
   * Returns the blob of a content that the process has.
   *
   * @param content 1 to {@value #MAX_CONTENT_BYTES} bytes
   */
  public byte[] store(byte[] content) {
    requireLength("a content", content.length, 1, MAX_CONTENT_BYTES);
    return inSession(session -> {
      long object = session.create(content);
      return session.proved(session.wrap(object, content.length), object);
    });
  }

  /** Returns a blob's content in clear. */
  public byte[] reveal(byte[] blob) {
    Blob parsed = Blob.parse(blob);
    return inSession(session -> session.reveal(parsed));
  }

  /**
   * Wraps a content under a client's AES key by RFC 3394. Neither is in clear outside of the token.
   * Zeros may follow a private key of the pool, whose length is seldom a multiple of 8.
   *
   * @param blob of a content whose length is a multiple of 8, at least 16; of any other, it is
   *     refused with {@link Reason#UNSUPPORTED}
   * @param wrappingKeyBlob of the client's key
   */
  public byte[] wrapUnder(byte[] blob, byte[] wrappingKeyBlob) {
    Blob content = Blob.parse(blob);
    requireOffered(
        content.padding() == 0 && content.paddedBytes() >= 2 * Blob.SEMIBLOCK_BYTES,
        "RFC 3394 wraps only multiples of 8 bytes, at least 16");
    Blob key = aesKey(wrappingKeyBlob);
    return inSession(session -> {
      long clientsKey = session.unwrapProved(key, SecretUse.WRAP);
      return session.wrapForClientProved(
          clientsKey, session.unwrapProved(content, SecretUse.LEAVE), content);
    });
  }

  /**
   * Takes over what a client's AES key wrapped by RFC 3394. Neither is in clear outside of the
   * token.
   *
   * @param wrapped up to {@value #MAX_CONTENT_BYTES} bytes and 8 more
   * @param wrappingKeyBlob of the client's key
   * @return the blob of the content
   */
  public byte[] unwrapUnder(byte[] wrapped, byte[] wrappingKeyBlob) {
    requireLength("a wrapped content", wrapped.length, 1, MAX_WRAPPED_BYTES);
    if (wrapped.length < 3 * Blob.SEMIBLOCK_BYTES || wrapped.length % Blob.SEMIBLOCK_BYTES != 0) {
      throw new HsmException(
          Reason.DATA_INVALID, "RFC 3394 wraps nothing to " + wrapped.length + " bytes");
    }
    Blob key = aesKey(wrappingKeyBlob);
    return inSession(
        session -> session.takeOver(session.unwrapProved(key, SecretUse.WRAP), wrapped));
  }

  /**
   * Encrypts.
   *
   * @param aesBlob of an AES key
   * @param data up to {@value #MAX_DATA_BYTES} bytes
   */
  public byte[] encrypt(byte[] aesBlob, CipherCall call, byte[] data) {
    requireLength("data", data.length, 0, MAX_DATA_BYTES);
    Blob key = aesKey(aesBlob);
    return inSession(
        session -> session.cipher(true, session.unwrapProved(key, SecretUse.CIPHER), call, data));
  }

  /**
   * Decrypts.
   *
   * @param aesBlob of an AES key
   * @param data what {@link #encrypt} returns for up to {@value #MAX_DATA_BYTES} bytes
   */
  public byte[] decrypt(byte[] aesBlob, CipherCall call, byte[] data) {
    requireLength("data", data.length, 0, MAX_DATA_BYTES + TAG_AND_PADDING_BYTES);
    Blob key = aesKey(aesBlob);
    return inSession(
        session -> session.cipher(false, session.unwrapProved(key, SecretUse.CIPHER), call, data));
  }

  /**
   * Returns the HMAC. Some devices refuse a key that is shorter than the hash, and SoftHSM one that
   * is longer than the hash's block and no multiple of 8, with {@link Reason#UNSUPPORTED}.
   *
   * @param blob of a secret
   * @param data up to {@value #MAX_DATA_BYTES} bytes
   */
  public byte[] mac(byte[] blob, DigestAlgorithm hash, byte[] data) {
    requireLength("data", data.length, 0, MAX_DATA_BYTES);
    Blob key = Blob.parse(blob);
    requireOffered(!key.privateKey(), "a private key of the pool is no HMAC key");
    // Zeros at the end of a key make no difference to HMAC until the key itself is hashed.
    requireOffered(
        brand.removesPadding() || key.padding() == 0 || key.paddedBytes() <= blockBytes(hash),
        "the device takes long HMAC keys only in multiples of 8 bytes");
    return inSession(session ->
        session.macProved(mechanisms.hmac(hash), session.unwrapProved(key, SecretUse.MAC), data));
  }

  /**
   * Signs a digest with a private key. A wrong signature is refused with {@link Reason#FAILED}
   * rather than returned: with PKCS #1 v1.5, one that went wrong modulo one of the two primes tells
   * both of them to anybody who knows the digest.
   *
   * @param privateKey as the pool wrapped it, or with the blob of its PKCS #8 in its place; if its
   *     public key is empty, RSA signatures are verified with the modulus that the token keeps with
   *     the private key, and ECDSA signatures are not, since it does not have a point
   * @param digest of the length of {@code algorithm}
   * @return the signature: as long as the modulus for RSA, DER for ECDSA
   */
  public byte[] sign(
      WrappedKey privateKey, SignatureScheme scheme, DigestAlgorithm algorithm, byte[] digest) {
    Signing.requireFits(privateKey.spec(), scheme, algorithm, digest);
    Opening now = opening.get();
    KeyWrapping wrapping = new KeyWrapping(mechanisms, brand, now.wrappingKey(), now.epoch());
    WrappedKey wrapped =
        new WrappedKey(
            privateKey.spec(),
            privateKey.wrappingKeyId(),
            privateKey.wrapMechanism(),
            privateKey.publicKey(),
            Blob.parse(privateKey.wrappedPrivateKey()).ciphertext());
    wrapping.requireOurs(wrapped);
    Template template = now.templates(wrapped.spec()).unwrappedKey();
    return inSession(
        now,
        managed -> {
          Session session = managed.session();
          KeyHandle key = wrapping.unwrap(session, wrapped, template);
          managed.ownPrivateKey(key.value());
          signing.begin(session, key, scheme, algorithm);
          byte[] signature = signing.complete(session, key, scheme, algorithm, digest);
          boolean verifies =
              privateKey.publicKey().length > 0
                  ? PublicHalf.verifies(
                      privateKey.publicKey(), scheme, algorithm, digest, signature)
                  : scheme == SignatureScheme.ECDSA
                      || PublicHalf.inToken(session, key)
                          .verifies(scheme, algorithm, digest, signature);
          proofs.require(CkFunction.C_SIGN, verifies);
          return signature;
        });
  }

  /**
   * Whether a pair can be used: its private key unwraps and fits its public key.
   *
   * @throws HsmException if the device fails, which says nothing about the pair
   */
  public boolean proves(WrappedKey pair) {
    try {
      byte[] _ =
          sign(
              pair,
              ProofSignature.scheme(pair.spec()),
              ProofSignature.DIGEST,
              ProofSignature.content(pair.spec()));
      return true;
    } catch (HsmException e) {
      boolean wrong = e.reason() == Reason.FAILED && e.returnValue() < 0;
      if (wrong || e.reason() == Reason.WRAPPED_KEY_INVALID) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns random bytes: those of the token, combined with those of the platform, so that they are
   * as good as the better of the two.
   *
   * @param bytes 1 to {@link #MAX_RANDOM_BYTES}
   */
  public byte[] random(int bytes) {
    requireLength("random data", bytes, 1, MAX_RANDOM_BYTES);
    byte[] combined = new byte[bytes];
    random.nextBytes(combined);
    byte[] tokens = inSession(session -> session.random(bytes));
    for (int i = 0; i < bytes; i++) {
      combined[i] ^= tokens[i];
    }
    return combined;
  }

  private static Blob aesKey(byte[] blob) {
    Blob key = Blob.parse(blob);
    requireOffered(key.isAesKey(), "the content is no AES key");
    return key;
  }

  private static int blockBytes(DigestAlgorithm hash) {
    return hash == DigestAlgorithm.SHA_256 ? 64 : 128;
  }

  private byte[] inSession(Function<ManagedSession, byte[]> work) {
    return inSession(opening.get(), work);
  }

  private byte[] inSession(Opening now, Function<ManagedSession, byte[]> work) {
    return now.inSession(session -> {
      try (ManagedSession managed =
          new ManagedSession(
              session,
              brand,
              mechanisms,
              now.wrappingKey(),
              templates,
              proofs,
              library.managedPrivateKeys(now.slotId()),
              undestroyed)) {
        return work.apply(managed);
      }
    });
  }

  private static void requireOffered(boolean holds, String otherwise) {
    if (!holds) {
      throw new HsmException(Reason.UNSUPPORTED, otherwise);
    }
  }

  private static void requireLength(String what, int bytes, int least, int most) {
    require(
        bytes >= least && bytes <= most,
        "%s of %d bytes is not from %d to %d".formatted(what, bytes, least, most));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
