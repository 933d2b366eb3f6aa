package org.keywell.signing.log;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;

/**
 * A key that signs checkpoints.
 *
 * @param key verifies its signatures; its name is the log's origin
 * @param signature signs a note's text; empty while its device does not sign. Thread-safe
 */
record CheckpointSigner(NoteKey key, Function<String, Optional<NoteSignature>> signature) {

  /**
   * Returns a signature of each type of key: the first that one of them makes.
   *
   * @return empty if none of them signs
   */
  static List<NoteSignature> sign(List<CheckpointSigner> signers, String text) {
    return Stream.of(NoteKey.Type.values())
        .flatMap(type ->
            signers.stream()
                .filter(each -> each.key().type() == type)
                .flatMap(each -> each.signature().apply(text).stream())
                .findFirst()
                .stream())
        .toList();
  }
}
