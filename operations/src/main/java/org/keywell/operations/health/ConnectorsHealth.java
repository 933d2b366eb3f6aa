package org.keywell.operations.health;

import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Whether the service's port is still served. An {@link Error} ends the thread that accepts
 * connections, or the one that waits for their data; Tomcat restarts neither, and the kernel keeps
 * accepting connections that nobody serves. Only a new process helps, so this belongs to liveness.
 * Checks threads, not answers: a flood of requests does not justify a restart.
 */
final class ConnectorsHealth
    implements HealthIndicator, ApplicationListener<WebServerInitializedEvent> {

  /** Tomcat's suffixes for a connector's two threads, after the connector's own name. */
  private static final List<String> ROLES = List.of("-Acceptor", "-Poller");

  private record ConnectorThread(AbstractProtocol<?> connector, Thread thread) {

    /** A paused connector is being stopped, and its threads end in order. */
    boolean isMissing() {
      return !thread.isAlive() && !connector.isPaused();
    }
  }

  private volatile List<ConnectorThread> threads = List.of();

  @Override
  public void onApplicationEvent(WebServerInitializedEvent event) {
    // An unserved management port needs no check: its probes get no answer.
    if (!WebServerApplicationContext.hasServerNamespace(event.getApplicationContext(), "management")
        && event.getWebServer() instanceof TomcatWebServer server) {
      watch(server);
    }
  }

  /**
   * Finds the threads of a started server.
   *
   * @throws IllegalStateException if they are not named as expected
   */
  void watch(TomcatWebServer server) {
    Thread[] running = Thread.getAllStackTraces().keySet().toArray(Thread[]::new);
    threads =
        Stream.of(server.getTomcat().getService().findConnectors())
            .map(Connector::getProtocolHandler)
            .map(handler -> (AbstractProtocol<?>) handler)
            .flatMap(connector ->
                ROLES.stream()
                    .map(role -> new ConnectorThread(connector, find(connector, role, running))))
            .toList();
  }

  private static Thread find(AbstractProtocol<?> connector, String role, Thread[] running) {
    // Quoted, and ends with the port if that was chosen after the threads got their names.
    String name = connector.getName().replace("\"", "");
    String before = name.replaceFirst("-" + connector.getLocalPort() + "$", "");
    return Stream.of(running)
        .filter(thread ->
            thread.getName().equals(name + role) || thread.getName().equals(before + role))
        .findAny()
        .orElseThrow(() -> new IllegalStateException("no thread is named " + name + role));
  }

  @Override
  public Health health() {
    List<String> missing =
        threads.stream()
            .filter(ConnectorThread::isMissing)
            .map(thread -> thread.thread().getName())
            .toList();
    return missing.isEmpty()
        ? Health.up().build()
        : Health.down()
            .withDetail("reason", "the port is not served any more; the log says why")
            .withDetail("threads", missing)
            .build();
  }
}
