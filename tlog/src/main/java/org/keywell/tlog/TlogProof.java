package org.keywell.tlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proves offline that an entry is in a log (C2SP tlog-proof); stored as {@code .tlog-proof}.
 *
 * @param extra what a verifier needs to build the entry again; not authenticated by itself; empty
 *     if nothing
 * @param index of the entry
 * @param hashes from the leaf's sibling up
 * @param checkpoint signed by the log, and by witnesses
 */
public record TlogProof(byte[] extra, long index, List<TreeHash> hashes, SignedNote checkpoint) {

  private static final String HEADER = "c2sp.org/tlog-proof@v1";
  private static final String EXTRA = "extra ";
  private static final String INDEX = "index ";
  private static final int MAX_HASHES = 63;

  public TlogProof {
    extra = extra.clone();
    hashes = List.copyOf(hashes);
    if (index < 0 || hashes.size() > MAX_HASHES) {
      throw new LogFormatException("a proof's index " + index + " or its length");
    }
  }

  @Override
  public byte[] extra() {
    return extra.clone();
  }

  /**
   * Returns the checkpoint if it holds the entry.
   *
   * @param origin of the only log that is accepted
   * @param log keys of which one at least must have signed the checkpoint
   * @throws LogFormatException that says what does not hold
   */
  public Checkpoint verify(String origin, List<NoteKey> log, TreeHash leaf) {
    if (checkpoint.signedBy(log).isEmpty()) {
      throw new LogFormatException("no key of the log has signed the checkpoint");
    }
    Checkpoint tree = Checkpoint.parse(checkpoint.text());
    if (!tree.origin().equals(origin)) {
      throw new LogFormatException("the checkpoint is of another log: " + tree.origin());
    }
    if (!Proofs.includes(tree.root(), tree.size(), leaf, index, hashes)) {
      throw new LogFormatException("the entry is not at index " + index + " of the log");
    }
    return tree;
  }

  public byte[] bytes() {
    StringBuilder proof = new StringBuilder(HEADER).append('\n');
    if (extra.length > 0) {
      proof.append(EXTRA).append(Base64.getEncoder().encodeToString(extra)).append('\n');
    }
    proof.append(INDEX).append(index).append('\n');
    hashes.forEach(hash -> proof.append(hash).append('\n'));
    proof.append('\n').append(new String(checkpoint.bytes(), StandardCharsets.UTF_8));
    return proof.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a proof.
   *
   * @throws LogFormatException if it is none
   */
  public static TlogProof parse(byte[] proof) {
    if (proof.length > SignedNote.MAX_LENGTH) {
      throw new LogFormatException("a proof of " + proof.length + " bytes");
    }
    String all = Lines.utf8(proof, "a proof");
    int end = all.indexOf("\n\n");
    if (end < 0) {
      throw new LogFormatException("a proof without a checkpoint");
    }
    List<String> lines = new ArrayList<>(List.of(all.substring(0, end).split("\n", -1)));
    if (!HEADER.equals(lines.remove(0))) {
      throw new LogFormatException("no proof: it does not begin with " + HEADER);
    }
    String extra = next(lines, EXTRA);
    String index = next(lines, INDEX);
    if (index == null) {
      throw new LogFormatException("a proof without an index");
    }
    return new TlogProof(
        extra == null ? new byte[0] : Lines.base64(extra, "extra data"),
        Lines.number(index, "index"),
        lines.stream().map(TreeHash::parse).toList(),
        SignedNote.parse(all.substring(end + 2).getBytes(StandardCharsets.UTF_8)));
  }

  /** Takes the next line if it starts so. */
  private static @Nullable String next(List<String> lines, String start) {
    return !lines.isEmpty() && lines.get(0).startsWith(start)
        ? lines.remove(0).substring(start.length())
        : null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TlogProof proof && Arrays.equals(bytes(), proof.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }
}
