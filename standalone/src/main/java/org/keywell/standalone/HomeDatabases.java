package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.EmbeddedServers;

/** Runs the server in a data directory, which only one process at a time owns. */
public final class HomeDatabases implements EmbeddedServers {

  /**
   * A server with its roles.
   *
   * @param lock null if another process owns the directory
   */
  private record InHome(EmbeddedDatabase database, HomeRoles roles, @Nullable HomeLock lock)
      implements DatabaseServer {

    @Override
    public DatabaseAccess access() {
      return roles.service();
    }

    @Override
    public Optional<DatabaseAccess> owner() {
      return Optional.of(roles.owner());
    }

    @Override
    public void prepare() throws SQLException {
      roles.prepare();
    }

    @Override
    public void announce(String url) {
      if (lock != null) {
        lock.announce(url);
      }
    }

    @Override
    public void onUnexpectedEnd(Runnable action) {
      database.onUnexpectedEnd(action);
    }

    @Override
    public void close() throws IOException {
      database.close();
      if (lock != null) {
        lock.close();
      }
    }
  }

  @Override
  public DatabaseServer own(Path home) throws IOException {
    requirePrivate(PrivateFiles.directory(home));
    HomeLock lock =
        HomeLock.tryAcquire(home)
            .orElseThrow(() ->
                new StartRefusedException(
                    "%s uses the data directory %s already".formatted(HomeLock.owner(home), home)));
    return inHome(EmbeddedDatabase.own(home), home, lock);
  }

  private static void requirePrivate(Path home) throws IOException {
    if (PrivateFiles.isWritableByOthers(home)) {
      throw new StartRefusedException(
          "others may write to the data directory %s; set keywell.home to one of your own"
              .formatted(home));
    }
  }

  @Override
  public DatabaseServer ownOrVisit(Path home) throws IOException {
    PrivateFiles.directory(home);
    Optional<EmbeddedDatabase> visited =
        HomeLock.isTaken(home) ? EmbeddedDatabase.visit(home) : Optional.empty();
    return visited.isPresent() ? inHome(visited.get(), home, null) : own(home);
  }

  private static DatabaseServer inHome(
      EmbeddedDatabase database, Path home, @Nullable HomeLock lock) throws IOException {
    return new InHome(database, new HomeRoles(database.access(), home), lock);
  }
}
