package org.keywell.acceptance.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The calendar of a running program, which a test sets; libfaketime shows it to the program. */
public final class ForeignClock {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Path directory;

  /**
   * @param directory for the file that says how far it is from this machine's
   */
  public ForeignClock(Path directory) throws IOException {
    this.directory = directory;
    set(Duration.ZERO);
  }

  /** Returns the environment of the program. */
  public Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(YearsAhead.environment(1));
    environment.remove("FAKETIME");
    environment.put("FAKETIME_TIMESTAMP_FILE", file().toString());
    environment.put("FAKETIME_NO_CACHE", "1");
    return environment;
  }

  /** Sets it, as far from this machine's clock as said. */
  public void set(Duration offset) throws IOException {
    Path next = directory.resolve("offset.next");
    Files.writeString(
        next, String.format(Locale.ROOT, "%+.3f%n", offset.toNanos() / NANOS_PER_SECOND));
    Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path file() {
    return directory.resolve("offset");
  }
}
