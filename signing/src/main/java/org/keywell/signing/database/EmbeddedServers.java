package org.keywell.signing.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.keywell.settings.StartRefusedException;

/**
 * A PostgreSQL server that comes with the program and runs in its data directory. The service has
 * none: it is on the class path of those who start one with a single command.
 */
public interface EmbeddedServers {

  /**
   * Takes the data directory and runs the server in it.
   *
   * @throws StartRefusedException if another process owns the directory, or others may write to it
   */
  DatabaseServer own(Path home) throws IOException;

  /** Runs the server as {@link #own} does, or uses that of the process that owns it. */
  DatabaseServer ownOrVisit(Path home) throws IOException;

  /**
   * Returns the one on the class path.
   *
   * @throws StartRefusedException if there is none
   */
  static EmbeddedServers included() {
    return ServiceLoader.load(EmbeddedServers.class)
        .findFirst()
        .orElseThrow(() ->
            new StartRefusedException(
                "no PostgreSQL comes with this program: set keywell.database.url to one"
                    + " (jdbc:postgresql://HOST/NAME); only ./keywell starts one by itself"));
  }
}
