package org.keywell.dss;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.keywell.client.KeywellClient;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gets the proofs that signatures are in the service's log, verified, to be kept beside the
 * documents. Thread-safe; calls block.
 */
public final class LogProofs {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final KeywellClient client;
  private final List<NoteKey> keys;

  /**
   * Trusts a log.
   *
   * @param verifierKeys the log's, one per line, as {@code GET /log/key} answers them; empty lines
   *     and those that start with # are comments. Get them through a channel that you trust
   * @throws LogFormatException if a line is no key, or there is none
   */
  public LogProofs(KeywellClient client, String verifierKeys) {
    this.client = client;
    this.keys =
        verifierKeys
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .map(NoteKey::parse)
            .toList();
    if (keys.isEmpty()) {
      throw new LogFormatException("no verifier key");
    }
  }

  /**
   * Returns the content of a {@code .tlog-proof} file, verified. One proof covers all documents of
   * an act.
   *
   * @param patience how long to ask while the log does not have the signatures: usually a second,
   *     with witnesses up to 10
   * @throws org.keywell.client.ServiceProblemException if the service keeps no log, or it does not
   *     have the signatures in that time
   * @throws LogProofException if the proof does not hold: another key has signed, or it is of
   *     another act, other digests or another certificate
   */
  public byte[] of(SignedDocuments signed, Duration patience)
      throws IOException, InterruptedException, LogProofException {
    byte[] proof = client.logProof(signed.answer().requestId(), patience);
    try {
      verify(
          TlogProof.parse(proof),
          keys,
          signed.answer().requestId(),
          signed.digests(),
          signed.answer().certificateChain().get(0));
      return proof;
    } catch (LogFormatException e) {
      throw new LogProofException(
          "act %s was signed, but the log's proof does not hold: %s"
              .formatted(signed.answer().requestId(), e.getMessage()),
          e);
    }
  }

  /**
   * Verifies a proof whose extra data is the entry of a signed request.
   *
   * @param keys of the log, of which one at least must have signed
   * @param digests that were signed, in their order
   * @param certificate of the one-time key, DER
   * @return the checkpoint of the tree that has the entry
   * @throws LogFormatException that says what does not hold
   */
  public static Checkpoint verify(
      TlogProof proof,
      List<NoteKey> keys,
      String requestId,
      List<byte[]> digests,
      byte[] certificate) {
    // A log's origin is the name of its key.
    String origin = Checkpoint.parse(proof.checkpoint().text()).origin();
    List<NoteKey> named = keys.stream().filter(key -> key.name().equals(origin)).toList();
    Checkpoint tree = proof.verify(origin, named, TreeHash.ofLeaf(proof.extra()));
    JsonNode entry = entry(proof);
    requireText(proof, entry, "type", "request");
    requireText(proof, entry, "request", requestId);
    requireText(proof, entry, "status", "signed");
    List<String> logged = new ArrayList<>();
    entry.path("digests").forEach(digest -> logged.add(digest.asString("")));
    if (!logged.equals(digests.stream().map(Base64.getEncoder()::encodeToString).toList())) {
      throw new LogFormatException("entry " + proof.index() + " has other digests");
    }
    requireText(proof, entry, "certificateSha256", sha256(certificate));
    return tree;
  }

  private static JsonNode entry(TlogProof proof) {
    try {
      return JSON.readTree(proof.extra());
    } catch (JacksonException e) {
      throw new LogFormatException("entry " + proof.index() + " is no JSON", e);
    }
  }

  private static void requireText(TlogProof proof, JsonNode entry, String member, String expected) {
    String found = entry.path(member).asString("");
    if (!found.equalsIgnoreCase(expected)) {
      throw new LogFormatException(
          "entry %s has %s %s instead of %s".formatted(proof.index(), member, found, expected));
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
