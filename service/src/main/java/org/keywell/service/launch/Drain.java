package org.keywell.service.launch;

import org.keywell.rest.http.BoundedHttpProtocol;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.sign.Admission;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The first step of a stop. The web server itself cuts kept-alive connections at once, and a
 * request on its way over one gets no answer. So for a while requests are still answered, those for
 * signatures with {@code shutting-down}, and each answer is the last one on its connection.
 */
@Component
public final class Drain implements SmartLifecycle {

  private final Admission admission;
  private final KeywellProperties properties;
  private final ServletWebServerApplicationContext context;
  private volatile boolean running;

  public Drain(
      Admission admission,
      KeywellProperties properties,
      ServletWebServerApplicationContext context) {
    this.admission = admission;
    this.properties = properties;
    this.context = context;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    admission.close();
    if (context.getWebServer() instanceof TomcatWebServer server
        && server.getTomcat().getConnector().getProtocolHandler()
            instanceof BoundedHttpProtocol protocol) {
      protocol.lastAnswers();
      protocol.awaitConnectionsClose(properties.http().drain().toMillis());
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops before the web server, whose phase is lower. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
