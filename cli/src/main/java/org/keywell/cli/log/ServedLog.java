package org.keywell.cli.log;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.keywell.client.KeywellClient;
import org.keywell.tlog.TileId;

/**
 * The log of a running service.
 *
 * @param place the service's address
 */
public record ServedLog(KeywellClient client, String place) implements LogCopy {

  @Override
  public Optional<byte[]> file(String path) throws IOException {
    try {
      return client.log(path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public Optional<byte[]> read(TileId tile) throws IOException {
    return file(tile.path());
  }
}
