package org.keywell.xks.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials that are valid now: lines of an access key id and its secret, and comments after
 * {@code #}. Several may be valid at the same time, so that one can replace another. A changed file
 * counts within two seconds; an invalid one leaves those before in effect. Thread-safe.
 */
public final class CredentialsFile {

  private static final Logger log = LoggerFactory.getLogger(CredentialsFile.class);

  private static final int MOST = 16;
  private static final long MOST_BYTES = 16 * 1024;
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private record Content(FileTime changed, long bytes, Map<String, Credential> credentials) {}

  private final Path file;
  private final LongSupplier nanoClock;
  private final AtomicLong lookedNanos;
  private final LogPace failures;
  private volatile Content content;
  private volatile OptionalLong unusableSinceNanos = OptionalLong.empty();

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if it cannot be used; the message names it, and no secret
   */
  public CredentialsFile(Path file, LongSupplier nanoClock) {
    this.file = file;
    this.nanoClock = nanoClock;
    this.lookedNanos = new AtomicLong(nanoClock.getAsLong());
    this.failures = new LogPace(nanoClock);
    this.content = read();
  }

  /** Returns those by access key id. */
  Map<String, Credential> current() {
    long looked = lookedNanos.get();
    long now = nanoClock.getAsLong();
    if (now - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, now)) {
      look();
    }
    return content.credentials();
  }

  /**
   * Returns for how long the file could not be used, so that those before stay valid; empty if it
   * is in use.
   */
  public Optional<Duration> unusable() {
    var _ = current();
    OptionalLong since = unusableSinceNanos;
    return since.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(nanoClock.getAsLong() - since.getAsLong()));
  }

  private void look() {
    try {
      if (!Files.getLastModifiedTime(file).equals(content.changed())
          || Files.size(file) != content.bytes()) {
        content = read();
        log.info("XKS credentials were read again: {}", content.credentials().keySet());
      }
      unusableSinceNanos = OptionalLong.empty();
    } catch (IOException | IllegalArgumentException e) {
      if (unusableSinceNanos.isEmpty()) {
        unusableSinceNanos = OptionalLong.of(nanoClock.getAsLong());
      }
      // It is looked at every second, for as long as it cannot be used.
      if (failures.due(1) > 0) {
        log.error("XKS credentials stay as they were: {}", e.getMessage());
      }
    }
  }

  private Content read() {
    try {
      FileTime changed = Files.getLastModifiedTime(file);
      long bytes = Files.size(file);
      if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
        throw refused("others than its owner can read or write it; make it mode 0600");
      }
      if (bytes > MOST_BYTES) {
        throw refused("it is longer than %d bytes".formatted(MOST_BYTES));
      }
      return new Content(changed, bytes, parse());
    } catch (IOException e) {
      throw refused("it cannot be read");
    }
  }

  private Map<String, Credential> parse() throws IOException {
    Map<String, Credential> credentials = new HashMap<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .forEach(line -> add(credentials, line));
    }
    if (credentials.isEmpty() || credentials.size() > MOST) {
      throw refused("it has %d credentials, not 1 to %d".formatted(credentials.size(), MOST));
    }
    return Map.copyOf(credentials);
  }

  private void add(Map<String, Credential> credentials, String line) {
    String[] words = line.split("\\s+", -1);
    if (words.length != 2) {
      throw refused("a line is not an access key id and its secret");
    }
    Credential credential;
    try {
      credential = new Credential(words[0], words[1]);
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
    if (credentials.put(words[0], credential) != null) {
      throw refused("it has the access key id %s twice".formatted(words[0]));
    }
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("credentials file %s: %s".formatted(file, why));
  }
}
