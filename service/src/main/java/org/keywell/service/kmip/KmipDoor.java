package org.keywell.service.kmip;

import java.io.IOException;
import java.net.Inet6Address;
import java.time.Duration;
import org.keywell.kmip.operation.KmipCaller;
import org.keywell.kmip.server.KmipServer;
import org.keywell.rest.tls.Lookups;
import org.keywell.settings.KmipProperties;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Opens the KMIP port once the core has started, and closes it before the core stops. */
public final class KmipDoor implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(KmipDoor.class);

  private final KmipProperties properties;
  private final KmipServer<KmipCaller> server;
  private final ManagedPairs pairs;
  private final Lookups lookups;
  private final Duration patience;
  private volatile boolean running;

  /**
   * @param lookups closed with the port
   * @param patience how long a stop waits for requests
   */
  KmipDoor(
      KmipProperties properties,
      KmipServer<KmipCaller> server,
      ManagedPairs pairs,
      Lookups lookups,
      Duration patience) {
    this.properties = properties;
    this.server = server;
    this.pairs = pairs;
    this.lookups = lookups;
    this.patience = patience;
  }

  KmipServer<KmipCaller> server() {
    return server;
  }

  /** Returns where clients connect to, as {@code HOST:PORT}. */
  public String address() {
    String host = properties.address().getHostAddress();
    return (properties.address() instanceof Inet6Address ? "[" + host + "]" : host)
        + ":"
        + server.port();
  }

  /**
   * Starts to listen.
   *
   * @throws StartRefusedException if the port cannot be used
   */
  @Override
  public void start() {
    try {
      server.start();
    } catch (IOException e) {
      throw new StartRefusedException(
          "keywell.kmip.port %d cannot be used (%s)".formatted(properties.port(), e.getMessage()),
          e);
    }
    pairs.start();
    running = true;
    log.info("KMIP clients are served at {}", address());
  }

  @Override
  public void stop() {
    running = false;
    server.close(patience);
    pairs.stop(patience);
    lookups.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Above the core's phase: starts later and stops earlier. */
  @Override
  public int getPhase() {
    return 1;
  }
}
