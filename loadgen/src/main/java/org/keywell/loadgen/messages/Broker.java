package org.keywell.loadgen.messages;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.keywell.loadgen.service.ForeignServer;

/** A broker that belongs only to this process and ends with it. */
public final class Broker implements AutoCloseable {
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(20);

  /** It may listen at one port a moment before the other. */
  private static final String PATIENTLY =
      "&initialConnectAttempts=10&retryInterval=200&reconnectAttempts=0&callTimeout=20000"
          + "&useTopologyForLoadBalancing=false";

  private final ForeignServer server;
  private final MessagesSite site;

  private Broker(ForeignServer server, MessagesSite site) {
    this.server = server;
    this.site = site;
  }

  /**
   * Starts it, and waits until it listens.
   *
   * @param program runs {@link BrokerServer}; directory and port follow
   * @param logs for its log, {@code messages-broker.log}
   * @param port of two that are free
   */
  public static Broker start(
      List<String> program, MessagesSite site, Path logs, int port, PrintWriter err)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(site.directory().toString(), Integer.toString(port)));
    return new Broker(
        ForeignServer.startAttached("messages-broker", command, logs, port, ENDS_WITHIN, err),
        site);
  }

  /** Returns its name and version. */
  public static String version() {
    return "ActiveMQ Artemis " + VersionLoader.getVersion().getFullVersion();
  }

  long pid() {
    return server.pid();
  }

  /** Returns a new factory of connections, for the one user. */
  ActiveMQConnectionFactory connections(boolean tls) throws IOException {
    String url =
        tls
            ? BrokerServer.url(server.port() + 1)
                + BrokerServer.tls("trustStore", site, MessagesSite.RESPONDER)
            : BrokerServer.url(server.port());
    return new ActiveMQConnectionFactory(url + PATIENTLY, BrokerServer.USER, site.secret());
  }

  @Override
  public void close() {
    server.close();
  }
}
