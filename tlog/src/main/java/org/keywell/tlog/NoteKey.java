package org.keywell.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A key that verifies notes (C2SP signed-note, "Verifier keys"). Thread-safe.
 *
 * @param name of its owner, as in signature lines
 * @param type what its signatures are
 * @param material the 32 bytes of an Ed25519 key; of ECDSA, the {@code SubjectPublicKeyInfo}
 */
public record NoteKey(String name, Type type, byte[] material) {

  /** The kinds of signature that are verified here, with their identifier bytes. */
  public enum Type {
    ED25519(1),
    ECDSA(2),
    /** A time-stamped cosignature of a witness (C2SP tlog-cosignature). */
    COSIGNATURE_ED25519(4);

    private final byte identifier;

    Type(int identifier) {
      this.identifier = (byte) identifier;
    }
  }

  private static final int ED25519_LENGTH = 32;

  /** RFC 8410: the algorithm identifier, and the header of the bit string. */
  private static final byte[] ED25519_SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  public NoteKey {
    requireName(name);
    material = material.clone();
    if (type != Type.ECDSA && material.length != ED25519_LENGTH) {
      throw new LogFormatException("an Ed25519 key of " + material.length + " bytes");
    }
    requireKey(type, material);
  }

  /** Returns the key with this {@code SubjectPublicKeyInfo}, of the algorithm that it names. */
  public static NoteKey of(String name, PublicKey key) {
    byte[] spki = key.getEncoded();
    return "EC".equals(key.getAlgorithm())
        ? new NoteKey(name, Type.ECDSA, spki)
        : new NoteKey(name, Type.ED25519, ed25519(spki));
  }

  private static byte[] ed25519(byte[] spki) {
    if (spki.length != ED25519_SPKI.length + ED25519_LENGTH
        || !Arrays.equals(ED25519_SPKI, Arrays.copyOfRange(spki, 0, ED25519_SPKI.length))) {
      throw new LogFormatException("neither an EC nor an Ed25519 key");
    }
    return Arrays.copyOfRange(spki, ED25519_SPKI.length, spki.length);
  }

  /**
   * Reads a verifier key.
   *
   * @throws LogFormatException if it is none, or of an unknown type
   */
  public static NoteKey parse(String vkey) {
    String[] parts = vkey.split("\\+", 3);
    if (parts.length != 3) {
      throw new LogFormatException("no verifier key (name+id+key): " + vkey);
    }
    byte[] typed = Lines.base64(parts[2], "key");
    for (Type type : Type.values()) {
      if (typed.length > 1 && typed[0] == type.identifier) {
        NoteKey key = new NoteKey(parts[0], type, Arrays.copyOfRange(typed, 1, typed.length));
        if (!key.toString().equals(vkey)) {
          throw new LogFormatException("the verifier key's id is not that of its key: " + vkey);
        }
        return key;
      }
    }
    throw new LogFormatException("a verifier key of unknown type: " + vkey);
  }

  @Override
  public byte[] material() {
    return material.clone();
  }

  /** Returns its id: the first four bytes of a hash. */
  public int id() {
    var digest = TreeHash.sha256();
    if (type != Type.ECDSA) {
      digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(type.identifier);
    }
    return ByteBuffer.wrap(digest.digest(material)).getInt();
  }

  /** Whether the key made this signature of the text. */
  public boolean verifies(String text, NoteSignature signature) {
    byte[] bytes = signature.bytes();
    if (type != Type.COSIGNATURE_ED25519) {
      return verifies(text.getBytes(StandardCharsets.UTF_8), bytes);
    }
    if (bytes.length <= Long.BYTES) {
      return false;
    }
    long seconds = ByteBuffer.wrap(bytes).getLong();
    return seconds >= 0
        && verifies(
            Cosignatures.message(seconds, text),
            Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
  }

  private boolean verifies(byte[] message, byte[] signature) {
    try {
      Signature verifier =
          Signature.getInstance(type == Type.ECDSA ? "SHA256withECDSA" : "Ed25519");
      verifier.initVerify(decoded(type, material));
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // A malformed signature: an exception or false, by the provider's choice.
      return false;
    }
  }

  private static void requireKey(Type type, byte[] material) {
    try {
      PublicKey key = decoded(type, material);
      if (type == Type.ECDSA && !(key instanceof ECPublicKey)) {
        throw new LogFormatException("an ECDSA verifier key with a key of " + key.getAlgorithm());
      }
    } catch (GeneralSecurityException e) {
      throw new LogFormatException("a verifier key that is no public key", e);
    }
  }

  private static PublicKey decoded(Type type, byte[] material) throws GeneralSecurityException {
    byte[] spki =
        type == Type.ECDSA
            ? material
            : ByteBuffer.allocate(ED25519_SPKI.length + material.length)
                .put(ED25519_SPKI)
                .put(material)
                .array();
    return KeyFactory.getInstance(type == Type.ECDSA ? "EC" : "Ed25519")
        .generatePublic(new X509EncodedKeySpec(spki));
  }

  /** Returns the verifier key: name, id and key. */
  @Override
  public String toString() {
    byte[] typed =
        ByteBuffer.allocate(1 + material.length).put(type.identifier).put(material).array();
    return name
        + "+"
        + HexFormat.of().toHexDigits(id())
        + "+"
        + Base64.getEncoder().encodeToString(typed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoteKey key && toString().equals(key.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  static void requireName(String name) {
    if (name.isEmpty() || name.chars().anyMatch(c -> c == '+' || c < ' ' || isSpace(c))) {
      throw new LogFormatException("a key's name has no spaces and no '+': '" + name + "'");
    }
  }

  private static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
