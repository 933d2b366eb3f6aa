package org.keywell.tlog;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** A hash in a log's tree (RFC 9162, section 2.1.1, with SHA-256). Immutable. */
public final class TreeHash {

  /** In bytes. */
  public static final int LENGTH = 32;

  private static final byte LEAF = 0;
  private static final byte NODE = 1;

  /** The root of a tree without entries. */
  public static final TreeHash EMPTY_TREE = new TreeHash(sha256().digest());

  private final byte[] bytes;

  private TreeHash(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the hash with these bytes.
   *
   * @throws LogFormatException unless there are {@link #LENGTH}
   */
  public static TreeHash of(byte[] bytes) {
    if (bytes.length != LENGTH) {
      throw new LogFormatException("a tree hash has 32 bytes, not " + bytes.length);
    }
    return new TreeHash(bytes.clone());
  }

  /** Returns the hash of a leaf: of an entry as it is in the log. */
  public static TreeHash ofLeaf(byte[] entry) {
    MessageDigest digest = sha256();
    digest.update(LEAF);
    return new TreeHash(digest.digest(entry));
  }

  /** Returns the hash of the node above two others. */
  public static TreeHash ofNode(TreeHash left, TreeHash right) {
    MessageDigest digest = sha256();
    digest.update(NODE);
    digest.update(left.bytes);
    return new TreeHash(digest.digest(right.bytes));
  }

  /**
   * Returns the hash with this text in base64.
   *
   * @throws LogFormatException if it is none
   */
  static TreeHash parse(String base64) {
    return of(Lines.base64(base64, "tree hash"));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns it in base64. */
  @Override
  public String toString() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TreeHash hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
