package org.keywell.rest.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.http.HttpConnection.Phase;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.TurningAway;

/** Serves one connection at a time: keeps its phase current and consults the door. */
final class BoundedProcessor extends Http11Processor {

  private static final int FIRST_ERROR = 400;

  private final BoundedHttpProtocol protocol;
  private final BoundedEndpoint endpoint;
  private final Door door;
  private final Adapter inside;
  private @Nullable HttpConnection connection;

  /** The current request was turned away, bypassing Tomcat, and the connection stays open. */
  private boolean staysOpen;

  BoundedProcessor(
      BoundedHttpProtocol protocol, BoundedEndpoint endpoint, Adapter adapter, Door door) {
    super(protocol, adapter);
    this.protocol = protocol;
    this.endpoint = endpoint;
    this.door = door;
    this.inside = new Inside(adapter);
  }

  @Override
  public Adapter getAdapter() {
    return inside;
  }

  @Override
  public SocketState process(SocketWrapperBase<?> wrapper, SocketEvent event) throws IOException {
    HttpConnection served = endpoint.connection(wrapper);
    connection = served;
    served.isAuthenticated();
    served.awake(System.nanoTime());
    SocketState state = super.process(wrapper, event);
    if (state == SocketState.OPEN) {
      served.enter(Phase.IDLE, System.nanoTime());
    }
    return state;
  }

  /** Receives complete heads from Tomcat. */
  private final class Inside implements Adapter {
    private final Adapter next;

    Inside(Adapter next) {
      this.next = next;
    }

    @Override
    public void service(Request head, Response answer) throws Exception {
      HttpConnection served = Objects.requireNonNull(connection);
      // Nothing in a head that Tomcat itself has refused can be relied upon.
      boolean valid = answer.getStatus() < FIRST_ERROR;
      @Nullable Problem refusal =
          valid ? door.refusal(head.getMethod(), head.requestURI().toString()) : null;
      if (refusal == null) {
        served.headIsComplete(
            valid && hasBody(head) ? Phase.BODY : Phase.ANSWER, answer, System.nanoTime());
        head.setAttribute(HttpConnection.ATTRIBUTE, served);
        TurningAway later = problem -> turnAway(head, answer, problem, problem.document());
        head.setAttribute(TurningAway.class.getName(), later);
        staysOpen = false;
        next.service(head, answer);
        if (staysOpen) {
          // Tomcat checks the status again when it decides whether to close.
          answer.setStatus(HttpServletResponse.SC_OK);
        }
      } else {
        served.headIsComplete(Phase.ANSWER, answer, System.nanoTime());
        turnAway(head, answer, refusal, refusal.document());
      }
      if (!isAsync()) {
        // The rest of the body is discarded now and counts towards the next head's time.
        served.enter(Phase.HEAD, System.nanoTime());
      }
    }

    @Override
    public boolean prepare(Request head, Response answer) throws Exception {
      return next.prepare(head, answer);
    }

    @Override
    public boolean asyncDispatch(Request head, Response answer, SocketEvent event)
        throws Exception {
      return next.asyncDispatch(head, answer, event);
    }

    @Override
    public void log(Request head, Response answer, long time) {
      next.log(head, answer, time);
    }

    @Override
    public void checkRecycled(Request head, Response answer) {
      next.checkRecycled(head, answer);
    }

    @Override
    public String getDomain() {
      return next.getDomain();
    }
  }

  private void turnAway(Request head, Response answer, Problem refusal, byte[] document)
      throws IOException {
    try {
      Thread.sleep(Door.HELD_BACK);
    } catch (InterruptedException e) {
      // The server is stopping: send the delayed refusal now.
      Thread.currentThread().interrupt();
    }
    if (outlives(head)) {
      // Bypasses Tomcat's own answering, which closes the connection after each 503.
      SocketWrapperBase<?> wrapper = getSocketWrapper();
      byte[] start =
          ("HTTP/1.1 "
                  + refusal.type().status().value()
                  + " \r\nContent-Type: "
                  + Problem.MEDIA_TYPE
                  + "\r\nContent-Length: "
                  + document.length
                  + "\r\nRetry-After: "
                  + refusal.retryAfterSeconds()
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII);
      answer.setCommitted(true);
      wrapper.write(true, start, 0, start.length);
      wrapper.write(true, document, 0, document.length);
      wrapper.flush(true);
      staysOpen = true;
    } else {
      answer.setStatus(refusal.type().status().value());
      answer.setContentType(Problem.MEDIA_TYPE);
      answer.setContentLength(document.length);
      answer.setHeader("Retry-After", Long.toString(refusal.retryAfterSeconds()));
      answer.doWrite(ByteBuffer.wrap(document));
    }
  }

  /** Whether both sides allow the connection to outlive this answer. */
  private boolean outlives(Request head) {
    String connection = head.getHeader("connection");
    return protocol.getMaxKeepAliveRequests() != BoundedHttpProtocol.LAST
        && head.protocol().equals("HTTP/1.1")
        && !head.hasExpectation()
        && (connection == null || !connection.toLowerCase(Locale.ROOT).contains("close"));
  }

  private static boolean hasBody(Request head) {
    return head.getContentLengthLong() > 0 || head.getHeader("transfer-encoding") != null;
  }
}
