package org.keywell.signing.lifecycle;

import java.util.List;
import java.util.stream.Stream;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.pool.TokenMarks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Notices a database that is older than what the HSMs have seen of it, such as a restored dump. */
@Component
final class RestoredDatabase {

  private static final Logger log = LoggerFactory.getLogger(RestoredDatabase.class);

  private final TokenMarks marks;
  private final SigningLog signingLog;
  private final boolean accepted;

  RestoredDatabase(TokenMarks marks, SigningLog signingLog, KeywellProperties properties) {
    this.marks = marks;
    this.signingLog = signingLog;
    this.accepted = properties.database().acceptRestored();
  }

  /**
   * To be called before anything of this run is written.
   *
   * @return what the operator accepts; empty if the database is not older
   * @throws StartRefusedException if it is older and that is not accepted, or if there is nothing
   *     to accept
   */
  List<String> check() {
    List<String> found =
        Stream.concat(marks.contradictions().stream(), signingLog.contradictions().stream())
            .toList();
    String all = String.join("; ", found);
    if (!found.isEmpty() && !accepted) {
      throw new StartRefusedException(
          "the database is older than what the HSM has seen of it, as after a restored backup: %s. Revocations, and what ended XKS and KMIP keys since, are undone: ./keywell log reapply lists and repeats them from a copy of the log (docs/operations/database-and-backup.md). To discard those keys and go on, start once with keywell.database.accept-restored=true"
              .formatted(all));
    }
    if (found.isEmpty() && accepted) {
      throw new StartRefusedException(
          "keywell.database.accept-restored is true, and nothing shows that the database was restored: remove it");
    }
    if (accepted) {
      log.warn(
          "a database that is older than what the HSM has seen is accepted: {}; revocations, and what ended XKS and KMIP keys since, are undone until somebody repeats them",
          all);
    }
    return found;
  }
}
