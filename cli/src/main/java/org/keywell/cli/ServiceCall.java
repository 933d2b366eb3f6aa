package org.keywell.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.NoAnswerException;

/** An exchange with the service. */
interface ServiceCall<T> {
  T with(KeywellClient client) throws IOException, InterruptedException, CommandFailedException;

  /** Runs an exchange once; explains the failure if the service cannot be reached. */
  static <T> T to(ServerOptions server, Duration timeout, ServiceCall<T> call)
      throws IOException, InterruptedException, CommandFailedException {
    return by(server, server.client(timeout), call);
  }

  /** Runs an exchange, with retries where useful; explains the failure if it does not succeed. */
  static <T> T untilDone(ServerOptions server, Duration deadline, ServiceCall<T> call)
      throws IOException, InterruptedException, CommandFailedException {
    return by(server, server.builder().deadline(deadline).build(), call);
  }

  private static <T> T by(ServerOptions server, KeywellClient open, ServiceCall<T> call)
      throws IOException, InterruptedException, CommandFailedException {
    try (KeywellClient client = open) {
      return call.with(client);
    } catch (NoAnswerException e) {
      throw new CommandFailedException(explain(server, e), e);
    }
  }

  private static String explain(ServerOptions server, NoAnswerException failure) {
    return switch (failure.getCause()) {
      case HttpTimeoutException _ -> server.url() + " did not answer in time" + request(failure);
      case ConnectException _ ->
          "no service answers at " + server.url() + "; start one: ./keywell up";
      case SSLException e ->
          "no TLS connection to %s: %s"
              .formatted(
                  server.url(),
                  failure.advice().orElse(e.getMessage() + " (--tls-ca, --tls-cert, --tls-key)"));
      case null, default -> String.valueOf(failure.getMessage());
    };
  }

  /** Names the request for a later query: it may still have been signed. */
  private static String request(NoAnswerException failure) {
    return failure.id().map(id -> "; the request is " + id).orElse("");
  }
}
