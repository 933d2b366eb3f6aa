package org.keywell.service.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.service.settings.StartRefusedException;

/** The PostgreSQL that this process uses, and as much of it as the process has to stop again. */
public final class DatabaseServer implements AutoCloseable {

  private final EmbeddedDatabase.Access access;
  private final @Nullable EmbeddedDatabase embedded;
  private final @Nullable HomeLock lock;

  private DatabaseServer(
      EmbeddedDatabase.Access access,
      @Nullable EmbeddedDatabase embedded,
      @Nullable HomeLock lock) {
    this.access = access;
    this.embedded = embedded;
    this.lock = lock;
  }

  static DatabaseServer external(EmbeddedDatabase.Access access) {
    return new DatabaseServer(access, null, null);
  }

  /**
   * Owns the data directory and runs the server in it.
   *
   * @throws StartRefusedException if another process owns the directory, or others may write to it
   */
  static DatabaseServer embedded(Path home) throws IOException {
    requirePrivate(PrivateFiles.directory(home));
    HomeLock lock =
        HomeLock.tryAcquire(home)
            .orElseThrow(() ->
                new StartRefusedException(
                    "%s uses the data directory %s already".formatted(HomeLock.owner(home), home)));
    EmbeddedDatabase embedded = EmbeddedDatabase.own(home);
    return new DatabaseServer(embedded.access(), embedded, lock);
  }

  private static void requirePrivate(Path home) throws IOException {
    if (PrivateFiles.isWritableByOthers(home)) {
      throw new StartRefusedException(
          "others may write to the data directory %s; set keywell.home to one of your own"
              .formatted(home));
    }
  }

  /** Runs the server as {@link #embedded} does, or uses the one of the process that owns it. */
  static DatabaseServer embeddedOrVisited(Path home) throws IOException {
    PrivateFiles.directory(home);
    Optional<EmbeddedDatabase> visited =
        HomeLock.isTaken(home) ? EmbeddedDatabase.visit(home) : Optional.empty();
    return visited.isPresent()
        ? new DatabaseServer(visited.get().access(), visited.get(), null)
        : embedded(home);
  }

  /** Tells those who find the data directory taken where the service is that has it. */
  public void announce(String url) {
    if (lock != null) {
      lock.announce(url);
    }
  }

  EmbeddedDatabase.Access access() {
    return access;
  }

  @Override
  public void close() throws IOException {
    if (embedded != null) {
      embedded.close();
    }
    if (lock != null) {
      lock.close();
    }
  }
}
