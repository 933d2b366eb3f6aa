package org.keywell.tlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The request in which a log offers its checkpoint to a witness (C2SP tlog-witness,
 * "add-checkpoint").
 *
 * @param oldSize of the tree that the witness has seen, as the log believes
 * @param consistency proof that the checkpoint's tree continues that one
 * @param checkpoint signed by the log
 */
public record AddCheckpoint(long oldSize, List<TreeHash> consistency, SignedNote checkpoint) {

  private static final String OLD = "old ";
  private static final int MAX_HASHES = 63;

  public AddCheckpoint {
    consistency = List.copyOf(consistency);
    if (oldSize < 0 || consistency.size() > MAX_HASHES) {
      throw new LogFormatException("an old size of " + oldSize + ", or too long a proof");
    }
  }

  /** Returns the request's body. */
  public byte[] bytes() {
    StringBuilder body = new StringBuilder(OLD).append(oldSize).append('\n');
    consistency.forEach(hash -> body.append(hash).append('\n'));
    body.append('\n').append(new String(checkpoint.bytes(), StandardCharsets.UTF_8));
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a request's body.
   *
   * @throws LogFormatException if it is none
   */
  public static AddCheckpoint parse(byte[] body) {
    if (body.length > SignedNote.MAX_LENGTH) {
      throw new LogFormatException("a request of " + body.length + " bytes");
    }
    String all = Lines.utf8(body, "a request");
    int end = all.indexOf("\n\n");
    if (end < 0 || !all.startsWith(OLD)) {
      throw new LogFormatException("a request has an old size, a proof and a checkpoint");
    }
    List<String> lines = new ArrayList<>(List.of(all.substring(0, end).split("\n", -1)));
    return new AddCheckpoint(
        Lines.number(lines.remove(0).substring(OLD.length()), "old size"),
        lines.stream().map(TreeHash::parse).toList(),
        SignedNote.parse(all.substring(end + 2).getBytes(StandardCharsets.UTF_8)));
  }
}
