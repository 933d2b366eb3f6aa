package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.EmbeddedServers;

/** Runs the server in a data directory, which only one process at a time owns. */
public final class HomeDatabases implements EmbeddedServers {

  private record Owned(EmbeddedDatabase database, HomeLock lock) implements DatabaseServer {

    @Override
    public DatabaseAccess access() {
      return database.access();
    }

    @Override
    public void announce(String url) {
      lock.announce(url);
    }

    @Override
    public void onUnexpectedEnd(Runnable action) {
      database.onUnexpectedEnd(action);
    }

    @Override
    public void close() throws IOException {
      database.close();
      lock.close();
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
    return new Owned(EmbeddedDatabase.own(home), lock);
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
    return visited.isPresent() ? visited.get() : own(home);
  }
}
