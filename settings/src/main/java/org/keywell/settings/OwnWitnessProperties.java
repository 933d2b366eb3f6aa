package org.keywell.settings;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.log.witness.*}: this deployment as a witness of others' logs.
 *
 * @param name the witness's name, unique in the world: a host name and a path, without a scheme;
 *     null: it is no witness
 * @param keyLabel the label of the key in each token that makes its cosignatures
 * @param logs the verifier keys of the logs that it witnesses, as text (C2SP signed-note); a log's
 *     origin is the name of its keys
 */
public record OwnWitnessProperties(
    @Nullable String name,
    @DefaultValue("keywell-witness") String keyLabel,
    @DefaultValue List<String> logs) {

  private static final int MAX_KEYS = 1_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.:/_~-]{1,200}");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");

  public OwnWitnessProperties {
    name = name == null || name.isBlank() ? null : name;
    logs = List.copyOf(logs);
    if (name != null && (!NAME.matcher(name).matches() || name.contains("://"))) {
      throw new IllegalArgumentException(
          "keywell.log.witness.name is '%s', expected a host name and a path, without a scheme"
              .formatted(name));
    }
    if (!LABEL.matcher(keyLabel).matches()) {
      throw new IllegalArgumentException(
          "keywell.log.witness.key-label has 1 to 32 of A-Z a-z 0-9 . _ -: '" + keyLabel + "'");
    }
    if (logs.size() > MAX_KEYS || (name == null) != logs.isEmpty()) {
      throw new IllegalArgumentException(
          "keywell.log.witness.logs has %d keys, expected 1 to %d with keywell.log.witness.name, and none without"
              .formatted(logs.size(), MAX_KEYS));
    }
    logs.forEach(OwnWitnessProperties::parsed);
  }

  private static NoteKey parsed(String key) {
    try {
      NoteKey parsed = NoteKey.parse(key);
      if (parsed.type() != NoteKey.Type.COSIGNATURE_ED25519) {
        return parsed;
      }
    } catch (LogFormatException e) {
      throw new IllegalArgumentException("keywell.log.witness.logs: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("keywell.log.witness.logs: a witness's key: " + key);
  }

  /** Returns the keys by the origins of their logs. */
  public Map<String, List<NoteKey>> keys() {
    return logs.stream()
        .map(OwnWitnessProperties::parsed)
        .collect(Collectors.groupingBy(NoteKey::name));
  }

  /** Whether this deployment is a witness. */
  public boolean isOne() {
    return name != null;
  }
}
