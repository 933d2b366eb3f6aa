package org.keywell.rest.http;

import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.HttpProperties;

/** Tomcat's HTTP/1.1 with connection limits and a door. Tomcat creates it by its name. */
public final class BoundedHttpProtocol extends Http11NioProtocol {

  /** The maximum size of an answer's head. */
  private static final int RESPONSE_HEAD_BYTES = 4 << 10;

  /** With this many requests per connection, Tomcat ends each one with its next answer. */
  static final int LAST = 1;

  private final BoundedEndpoint endpoint;
  private Door door = (method, path) -> null;

  /** Uses the defaults of {@link HttpProperties}, turns of its own and an open door. */
  public BoundedHttpProtocol() {
    this(new BoundedEndpoint());
  }

  private BoundedHttpProtocol(BoundedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /**
   * Must be called before the start. Replaces {@code server.tomcat.max-connections} etc.
   *
   * @param handshakes where its handshakes take turns with those of other ports
   */
  public void bound(HttpProperties limits, Handshakes handshakes, Door door) {
    this.door = door;
    endpoint.limit(limits, handshakes);
    setMaxHttpResponseHeaderSize(RESPONSE_HEAD_BYTES);
    // Refusing a request on an open connection is cheap; reopening one for it is not.
    setMaxKeepAliveRequests(-1);
  }

  /** Marks each answer from now on as its connection's last one. */
  public void lastAnswers() {
    setMaxKeepAliveRequests(LAST);
  }

  /** Receives certificates at the start and when they have changed. */
  @Override
  public void addSslHostConfig(SSLHostConfig config, boolean replace) {
    TlsRules.apply(config);
    super.addSslHostConfig(config, replace);
  }

  @Override
  protected Processor createProcessor() {
    return new BoundedProcessor(this, endpoint, getAdapter(), door);
  }
}
