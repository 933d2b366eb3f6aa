package org.keywell.settings;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * {@code keywell.log.*}.
 *
 * @param origin the log's name, unique in the world and the same at all instances: a host name and
 *     a path, without a scheme (C2SP tlog-checkpoint); null: no log is kept
 * @param keyLabel the label of the key that signs the log's checkpoints, in each token
 * @param isPublic whether everyone may read the log
 * @param witnesses that are offered its checkpoints; at most {@value #MAX_WITNESSES}
 * @param witnessQuorum how many of them must have cosigned a checkpoint before proofs use it; 0:
 *     proofs do not wait for any
 * @param witness whether this deployment is a witness itself
 */
public record LogProperties(
    @Nullable String origin,
    @DefaultValue("keywell-log") String keyLabel,
    @Name("public") @DefaultValue("false") boolean isPublic,
    @DefaultValue List<WitnessProperties> witnesses,
    @DefaultValue("0") int witnessQuorum,
    @DefaultValue OwnWitnessProperties witness) {

  private static final int MAX_WITNESSES = 16;

  private static final Pattern ORIGIN = Pattern.compile("[A-Za-z0-9.:/_~-]{1,200}");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");

  public LogProperties {
    origin = origin == null || origin.isBlank() ? null : origin;
    if (origin != null && (!ORIGIN.matcher(origin).matches() || origin.contains("://"))) {
      throw new IllegalArgumentException(
          "keywell.log.origin is '"
              + origin
              + "', expected a host name and a path, without a scheme");
    }
    if (!LABEL.matcher(keyLabel).matches()) {
      throw new IllegalArgumentException(
          "keywell.log.key-label has 1 to 32 of A-Z a-z 0-9 . _ -: '" + keyLabel + "'");
    }
    if (isPublic && origin == null) {
      throw new IllegalArgumentException(
          "keywell.log.public is true, and keywell.log.origin names no log");
    }
    witnesses = List.copyOf(witnesses);
    requireWitnesses(origin, witnesses, witnessQuorum);
  }

  private static void requireWitnesses(
      @Nullable String origin, List<WitnessProperties> witnesses, int quorum) {
    if (witnesses.size() > MAX_WITNESSES || (origin == null && !witnesses.isEmpty())) {
      throw new IllegalArgumentException(
          "keywell.log.witnesses has %d, expected at most %d, and none without keywell.log.origin"
              .formatted(witnesses.size(), MAX_WITNESSES));
    }
    if (witnesses.stream().map(WitnessProperties::name).distinct().count() < witnesses.size()) {
      throw new IllegalArgumentException("keywell.log.witnesses has two of the same name");
    }
    if (quorum < 0 || quorum > witnesses.size()) {
      throw new IllegalArgumentException(
          "keywell.log.witness-quorum is %d, expected 0 to %d: the number of keywell.log.witnesses"
              .formatted(quorum, witnesses.size()));
    }
  }

  /** Returns the label of the Ed25519 key that signs checkpoints beside the other. */
  public String ed25519Label() {
    return keyLabel + "-ed25519";
  }

  /** Whether a log is kept. */
  public boolean isKept() {
    return origin != null;
  }
}
