package org.keywell.settings;

import java.net.URI;
import java.util.Set;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;

/**
 * A witness in {@code keywell.log.witnesses}.
 *
 * @param url the prefix of its address, to which {@code /add-checkpoint} is appended: {@code
 *     https:}, or {@code http:} to this machine
 * @param key verifies its cosignatures, as text (C2SP signed-note); has the witness's name
 */
public record WitnessProperties(URI url, String key) {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  public WitnessProperties {
    boolean secure =
        "https".equals(url.getScheme())
            || ("http".equals(url.getScheme()) && THIS_MACHINE.contains(url.getHost()));
    if (!secure
        || url.getHost() == null
        || url.getUserInfo() != null
        || url.getQuery() != null
        || url.getFragment() != null) {
      throw new IllegalArgumentException(
          "keywell.log.witnesses: the url '%s' is no https:, and no http: to this machine"
              .formatted(url));
    }
    if (parsed(key).type() != NoteKey.Type.COSIGNATURE_ED25519) {
      throw new IllegalArgumentException(
          "keywell.log.witnesses: the key %s makes no cosignatures".formatted(key));
    }
  }

  private static NoteKey parsed(String key) {
    try {
      return NoteKey.parse(key);
    } catch (LogFormatException e) {
      throw new IllegalArgumentException("keywell.log.witnesses: " + e.getMessage(), e);
    }
  }

  /** Returns its key, parsed. */
  public NoteKey verifier() {
    return parsed(key);
  }

  /** Returns the witness's name: that of its key. */
  public String name() {
    return verifier().name();
  }

  /** Returns where checkpoints are offered. */
  public URI address() {
    String prefix = url.toString();
    return URI.create(prefix + (prefix.endsWith("/") ? "" : "/") + "add-checkpoint");
  }
}
