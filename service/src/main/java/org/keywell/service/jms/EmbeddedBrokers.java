package org.keywell.service.jms;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.keywell.settings.JmsProperties;
import org.keywell.settings.StartRefusedException;

/**
 * A broker that comes with the program, for trying out. The service has none: it is on the class
 * path of those who start one with a single command.
 */
public interface EmbeddedBrokers {

  /** A broker that runs. */
  interface Running extends AutoCloseable {

    /** Ends it in order; what it has not delivered is there at the next start. */
    @Override
    void close();
  }

  /**
   * Runs a broker as settings describe it, with the users that the data directory has passwords of.
   *
   * @throws StartRefusedException if its port or a file cannot be used
   */
  Running start(Path home, JmsProperties properties);

  /**
   * Returns the one on the class path.
   *
   * @throws StartRefusedException if there is none
   */
  static EmbeddedBrokers included() {
    return ServiceLoader.load(EmbeddedBrokers.class)
        .findFirst()
        .orElseThrow(() ->
            new StartRefusedException(
                "no broker comes with this program: set keywell.jms.embedded to false; only"
                    + " ./keywell starts one by itself"));
  }
}
