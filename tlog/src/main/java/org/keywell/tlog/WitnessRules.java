package org.keywell.tlog;

import java.util.List;
import java.util.Map;

/**
 * Decides whether a witness may cosign a checkpoint (C2SP tlog-witness). Thread-safe; the caller
 * compares and replaces the latest checkpoint atomically, before it cosigns.
 */
public final class WitnessRules {

  /** A decision; {@link #status} is what the protocol answers. */
  public enum Verdict {
    /** To be kept, then cosigned. */
    ACCEPTED(200),
    OLD_SIZE_BEYOND_CHECKPOINT(400),
    NOT_SIGNED_BY_LOG(403),
    UNKNOWN_LOG(404),
    /** The answer's body is the size of the latest checkpoint. */
    OTHER_OLD_SIZE(409),
    INCONSISTENT(422);

    private final int status;

    Verdict(int status) {
      this.status = status;
    }

    /** Returns the HTTP status. */
    public int status() {
      return status;
    }
  }

  private final Map<String, List<NoteKey>> logs;

  /**
   * Creates rules for these logs.
   *
   * @param logs their keys, by origin
   */
  public WitnessRules(Map<String, List<NoteKey>> logs) {
    this.logs = Map.copyOf(logs);
  }

  /**
   * Decides on a request.
   *
   * @param latest what was cosigned last for this origin; of a tree of size 0 if nothing was
   * @throws LogFormatException if the note is no checkpoint
   */
  public Verdict judge(AddCheckpoint request, Checkpoint latest) {
    Checkpoint offered = Checkpoint.parse(request.checkpoint().text());
    List<NoteKey> keys = logs.get(offered.origin());
    if (keys == null) {
      return Verdict.UNKNOWN_LOG;
    }
    if (!isSigned(request.checkpoint(), keys)) {
      return Verdict.NOT_SIGNED_BY_LOG;
    }
    if (request.oldSize() > offered.size()) {
      return Verdict.OLD_SIZE_BEYOND_CHECKPOINT;
    }
    if (request.oldSize() != latest.size()) {
      return Verdict.OTHER_OLD_SIZE;
    }
    boolean continues =
        Proofs.continues(
            latest.size(), latest.root(), offered.size(), offered.root(), request.consistency());
    return continues ? Verdict.ACCEPTED : Verdict.INCONSISTENT;
  }

  private static boolean isSigned(SignedNote note, List<NoteKey> keys) {
    try {
      return !note.signedBy(keys).isEmpty();
    } catch (LogFormatException e) {
      // A known key's signature is wrong: as the protocol has it, that is no signature.
      return false;
    }
  }
}
