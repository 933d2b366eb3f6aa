package org.keywell.listener.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.net.ssl.SSLSocket;
import org.keywell.listener.Occupation;
import org.keywell.listener.Protocol;

/**
 * Answers the requests of a connection, one after the other. An answer that is not there by the
 * deadline is replaced; the connection ends with it, and its place stays taken until the thread
 * that works on the request returns. Thread-safe.
 *
 * @param requests answers a request
 * @param malformed answers what is no request, by a status and a message
 * @param late the answer in place of one that is not there by the deadline
 * @param answered is told of each request with the answer that it gets, just before that is sent,
 *     on any thread; must be quick and not throw
 * @param idleTimeout from an answer to the first byte of a request
 * @param messageTimeout how long a request or an answer may be in transit
 * @param deadline from a request's first byte to its answer
 * @param maxBody in bytes
 */
public record HttpProtocol(
    Function<HttpRequest, HttpAnswer> requests,
    BiFunction<Integer, String, HttpAnswer> malformed,
    HttpAnswer late,
    BiConsumer<HttpRequest, HttpAnswer> answered,
    Duration idleTimeout,
    Duration messageTimeout,
    Duration deadline,
    int maxBody)
    implements Protocol {

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int FIRST_REFUSAL = 400;

  /** How long a client may take to read why its connection ends. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  @Override
  public void serve(SSLSocket tls, Occupation occupation) throws IOException {
    OutputStream out = tls.getOutputStream();
    RequestReader reader = new RequestReader(tls.getInputStream(), maxBody);
    boolean last = false;
    while (!last && occupation.await(idleTimeout)) {
      if (!reader.awaitFirst() || !occupation.work(messageTimeout)) {
        return;
      }
      long arrived = System.nanoTime();
      HttpAnswer answer;
      try {
        RequestReader.Head head = reader.head();
        if (head.expectsContinue()) {
          out.write(CONTINUE);
        }
        HttpRequest request =
            new HttpRequest(
                head.method(), head.target(), head.headers(), reader.body(head), arrived);
        occupation.work(arrived, deadline, () -> giveUp(request, out, occupation));
        answer = requests.apply(request);
        last = head.last() || occupation.isEnding();
        if (!occupation.completed(FAREWELL)) {
          return;
        }
        answered.accept(request, answer);
        if (answer.status() < FIRST_REFUSAL) {
          // Its signature was good.
          occupation.proven();
        }
      } catch (MalformedRequestException e) {
        answer = malformed.apply(e.status(), String.valueOf(e.getMessage()));
        last = true;
      }
      if (!occupation.work(messageTimeout)) {
        return;
      }
      out.write(answer.message(last));
    }
    occupation.work(FAREWELL);
    if (last) {
      // With bytes left unread, the system would take the answer back.
      tls.shutdownOutput();
      tls.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  /** Answers in place of the thread that works on the request, and ends the connection. */
  private void giveUp(HttpRequest request, OutputStream out, Occupation occupation) {
    answered.accept(request, late);
    try {
      if (occupation.work(FAREWELL)) {
        out.write(late.message(true));
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      occupation.cut();
    }
  }
}
