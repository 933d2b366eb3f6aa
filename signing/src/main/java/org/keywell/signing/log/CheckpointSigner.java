package org.keywell.signing.log;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;

/**
 * A key that signs checkpoints.
 *
 * @param key verifies its signatures; its name is the log's origin
 * @param signature signs a note's text; empty while its device does not sign. Thread-safe
 */
record CheckpointSigner(NoteKey key, Function<String, Optional<NoteSignature>> signature) {

  /** Returns the first signature that one of them makes. */
  static Optional<NoteSignature> sign(List<CheckpointSigner> signers, String text) {
    return signers.stream().flatMap(each -> each.signature().apply(text).stream()).findFirst();
  }
}
