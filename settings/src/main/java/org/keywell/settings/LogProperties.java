package org.keywell.settings;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.log.*}.
 *
 * @param origin the log's name, unique in the world and the same at all instances: a host name and
 *     a path, without a scheme (C2SP tlog-checkpoint); null: no log is kept
 * @param keyLabel the label of the key that signs the log's checkpoints, in each token
 */
public record LogProperties(@Nullable String origin, @DefaultValue("keywell-log") String keyLabel) {

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
  }

  /** Whether a log is kept. */
  public boolean isKept() {
    return origin != null;
  }
}
