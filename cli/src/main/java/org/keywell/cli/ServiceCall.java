package org.keywell.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;

/** An exchange with the service. */
interface ServiceCall<T> {
  T with(KeywellClient client) throws IOException, InterruptedException, CommandFailedException;

  /** Does an exchange; explains it if the service cannot be reached. */
  static <T> T to(ServerOptions server, Duration timeout, ServiceCall<T> call)
      throws IOException, InterruptedException, CommandFailedException {
    try (KeywellClient client = server.client(timeout)) {
      return call.with(client);
    } catch (HttpTimeoutException e) {
      throw new CommandFailedException(server.url() + " did not answer in time", e);
    } catch (ConnectException e) {
      throw new CommandFailedException(
          "no service answers at " + server.url() + "; start one: ./keywell up", e);
    } catch (SSLException e) {
      throw new CommandFailedException(
          "no TLS connection to %s: %s (--tls-ca, --tls-cert, --tls-key)"
              .formatted(server.url(), e.getMessage()),
          e);
    }
  }
}
