package org.keywell.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogDirectory;
import org.keywell.cli.log.ServedLog;
import org.keywell.cli.options.ServerOptions;

/** Work on a log. */
interface LogWork<T> {
  Duration TIME_PER_TILE = Duration.ofSeconds(60);

  T on(LogCopy log) throws IOException, InterruptedException, CommandFailedException;

  /**
   * Does the work.
   *
   * @param place a directory, or a service's address; null for the service of the options
   */
  static <T> T at(@Nullable String place, ServerOptions server, LogWork<T> work)
      throws IOException, InterruptedException, CommandFailedException {
    if (place == null || place.contains("://")) {
      ServerOptions service = place == null ? server : server.at(place);
      return ServiceCall.untilDone(
          service, TIME_PER_TILE, client -> work.on(new ServedLog(client, service.url())));
    }
    Path directory = Path.of(place);
    if (!Files.isDirectory(directory)) {
      throw CommandFailedException.unusable("there is no directory " + directory, null);
    }
    return work.on(new LogDirectory(directory));
  }
}
