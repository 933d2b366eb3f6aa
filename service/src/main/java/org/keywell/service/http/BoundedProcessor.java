package org.keywell.service.http;

import java.io.IOException;
import java.util.Objects;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.keywell.service.http.HttpConnection.Phase;

/** Serves one connection at a time: tells it what it is at. */
final class BoundedProcessor extends Http11Processor {

  private final BoundedEndpoint endpoint;
  private final Adapter inside;
  private @Nullable HttpConnection connection;

  BoundedProcessor(BoundedHttpProtocol protocol, BoundedEndpoint endpoint, Adapter adapter) {
    super(protocol, adapter);
    this.endpoint = endpoint;
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
    served.awake(System.nanoTime());
    SocketState state = super.process(wrapper, event);
    if (state == SocketState.OPEN) {
      served.enter(Phase.IDLE, System.nanoTime());
    }
    return state;
  }

  /** What Tomcat hands complete heads to. */
  private final class Inside implements Adapter {
    private final Adapter next;

    Inside(Adapter next) {
      this.next = next;
    }

    @Override
    public void service(Request head, Response answer) throws Exception {
      HttpConnection served = Objects.requireNonNull(connection);
      served.enter(hasBody(head) ? Phase.BODY : Phase.ANSWER, System.nanoTime());
      head.setAttribute(HttpConnection.ATTRIBUTE, served);
      next.service(head, answer);
      if (!isAsync()) {
        // What is left of the body is swallowed now, and is part of the next head's time.
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

  private static boolean hasBody(Request head) {
    return head.getContentLengthLong() > 0 || head.getHeader("transfer-encoding") != null;
  }
}
