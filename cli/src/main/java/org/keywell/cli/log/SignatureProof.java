package org.keywell.cli.log;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;

/**
 * What a request's caller knows of its signature, to be found in the log.
 *
 * @param digests that were signed, in their order
 * @param certificate of the one-time key, DER
 */
public record SignatureProof(String requestId, List<byte[]> digests, byte[] certificate) {

  public SignatureProof {
    digests = List.copyOf(digests);
  }

  /**
   * A proof that holds.
   *
   * @param checkpoint of the tree that has the entry
   */
  public record Verified(LogEntry entry, Checkpoint checkpoint) {}

  /**
   * Verifies a {@code tlog-proof} whose extra data is the entry.
   *
   * @throws LogFormatException that says what does not hold
   */
  public Verified verify(byte[] tlogProof, LogKeys keys) {
    TlogProof proof = TlogProof.parse(tlogProof);
    Checkpoint checkpoint = keys.verified(proof.checkpoint());
    Checkpoint holds =
        proof.verify(checkpoint.origin(), keys.keys(), TreeHash.ofLeaf(proof.extra()));
    LogEntry entry = LogEntry.parse(proof.index(), proof.extra());
    require(entry.isOfRequest(requestId), entry, "is not of request " + requestId);
    require(entry.title().equals("request signed"), entry, "says " + entry.title());
    require(entry.texts("digests").equals(encoded()), entry, "has other digests");
    String sha256 = sha256(certificate);
    require(
        entry.text("certificateSha256").map(sha256::equalsIgnoreCase).orElse(true),
        entry,
        "names another certificate");
    return new Verified(entry, holds);
  }

  private List<String> encoded() {
    return digests.stream().map(Base64.getEncoder()::encodeToString).toList();
  }

  private static void require(boolean holds, LogEntry entry, String otherwise) {
    if (!holds) {
      throw new LogFormatException("entry %d %s".formatted(entry.index(), otherwise));
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
