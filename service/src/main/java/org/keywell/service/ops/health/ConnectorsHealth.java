package org.keywell.service.ops.health;

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
 * Whether the service's port is still listened to. An {@link Error} ends the thread that accepts
 * connections, or the one that waits for what they send; Tomcat starts neither anew, and the kernel
 * goes on to accept connections that nobody serves. Only a new process helps, so this belongs to
 * liveness. It asks for threads, not for an answer: a flood of requests is no reason to start anew.
 */
final class ConnectorsHealth
    implements HealthIndicator, ApplicationListener<WebServerInitializedEvent> {

  /** How Tomcat names the two threads of a connector, after the connector's own name. */
  private static final List<String> ROLES = List.of("-Acceptor", "-Poller");

  private record ConnectorThread(AbstractProtocol<?> connector, Thread thread) {

    /** A connector that is paused is being stopped, and its threads end in order. */
    boolean isMissing() {
      return !thread.isAlive() && !connector.isPaused();
    }
  }

  private volatile List<ConnectorThread> threads = List.of();

  @Override
  public void onApplicationEvent(WebServerInitializedEvent event) {
    // A management port that is not served any more tells so by itself: no probe is answered.
    if (!WebServerApplicationContext.hasServerNamespace(event.getApplicationContext(), "management")
        && event.getWebServer() instanceof TomcatWebServer server) {
      watch(server);
    }
  }

  /**
   * Finds the threads of a server that has started.
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
    // Quoted, and ending with the port if it was chosen after the threads got their names.
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
