package org.keywell.service.http;

import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.keywell.service.settings.HttpProperties;
import org.keywell.service.tls.TlsRules;

/** HTTP/1.1 by Tomcat, with bounds on connections and a door. Tomcat makes it by its name. */
public final class BoundedHttpProtocol extends Http11NioProtocol {

  /** What a head of an answer takes at the most. */
  private static final int RESPONSE_HEAD_BYTES = 4 << 10;

  /** So many requests for each connection are Tomcat's way to end all with their next answers. */
  static final int LAST = 1;

  private final BoundedEndpoint endpoint;
  private Door door = (method, path) -> null;

  /** With the defaults of {@link HttpProperties}, and an open door. */
  public BoundedHttpProtocol() {
    this(new BoundedEndpoint());
  }

  private BoundedHttpProtocol(BoundedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /** To be called before it starts. Replaces {@code server.tomcat.max-connections} and the like. */
  public void bound(HttpProperties limits, Door door) {
    this.door = door;
    endpoint.limit(limits);
    setMaxHttpResponseHeaderSize(RESPONSE_HEAD_BYTES);
    // A connection that is turned away on is cheap; one that is opened anew for it is not.
    setMaxKeepAliveRequests(-1);
  }

  /** From now on each answer says that it is the connection's last one. */
  public void lastAnswers() {
    setMaxKeepAliveRequests(LAST);
  }

  /** Certificates come in here at the start and when they have changed. */
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
