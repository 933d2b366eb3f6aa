package org.keywell.rest.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revocation lists in a file, reread when it changes. If it becomes unreadable, the lists read
 * before stay in effect until they end. Thread-safe.
 */
final class CrlFile {

  private static final Logger log = LoggerFactory.getLogger(CrlFile.class);
  private static final long LOOK_NANOS = Duration.ofSeconds(2).toNanos();

  /** Shows whether a file was replaced. */
  private record Stamp(FileTime modified, long size, @Nullable Object key) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
    }
  }

  private final Path file;
  private final LongSupplier nanoClock;
  private final ReentrantLock looking = new ReentrantLock();
  private @Nullable Stamp stamp;
  private volatile RevocationLists lists;
  private volatile long lookedNanos;

  /**
   * Reads the file.
   *
   * @throws StartRefusedException if it is invalid
   */
  CrlFile(Path file, Instant now, LongSupplier nanoClock) {
    this.file = file;
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
    try {
      this.stamp = Stamp.of(file);
      this.lists = RevocationLists.read(file);
    } catch (IOException e) {
      throw new StartRefusedException(
          "keywell.security.revocation.crl-file: %s cannot be read: %s"
              .formatted(file, e.getMessage()),
          e);
    }
    for (X509CRL list : lists.lists()) {
      if (!RevocationLists.isCurrent(list, now)) {
        log.warn(
            "{}: the list of {} is not current (nextUpdate {})",
            file,
            list.getIssuerX500Principal(),
            list.getNextUpdate());
      }
    }
  }

  /** Returns the lists read last. Checks the file every two seconds, on the calling thread. */
  RevocationLists lists() {
    if (nanoClock.getAsLong() - lookedNanos > LOOK_NANOS && looking.tryLock()) {
      try {
        look();
      } finally {
        lookedNanos = nanoClock.getAsLong();
        looking.unlock();
      }
    }
    return lists;
  }

  private void look() {
    try {
      Stamp now = Stamp.of(file);
      if (now.equals(stamp)) {
        return;
      }
      stamp = now;
      lists = RevocationLists.read(file);
      log.info("reread {}", file);
    } catch (IOException e) {
      if (stamp != null) {
        stamp = null;
        log.error("{} cannot be read; what was read before counts until its nextUpdate", file, e);
      }
    }
  }
}
