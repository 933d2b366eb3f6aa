package org.keywell.service.xks;

import java.io.IOException;
import java.net.Inet6Address;
import java.time.Duration;
import org.keywell.listener.TlsListener;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.XksProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Opens the XKS port once the core has started, and closes it before the core stops. */
public final class XksDoor implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(XksDoor.class);

  private final XksProperties properties;
  private final TlsListener listener;
  private final Runnable rehearsal;
  private final Duration patience;
  private volatile boolean running;

  /**
   * @param rehearsal runs before the port is opened
   * @param patience how long a stop waits for requests
   */
  XksDoor(XksProperties properties, TlsListener listener, Runnable rehearsal, Duration patience) {
    this.properties = properties;
    this.listener = listener;
    this.rehearsal = rehearsal;
    this.patience = patience;
  }

  TlsListener listener() {
    return listener;
  }

  /** Returns what clients' paths begin with, as {@code https://HOST:PORT/PREFIX/kms/xks/v1}. */
  public String url() {
    String host = properties.address().getHostAddress();
    return "https://%s:%d%s/kms/xks/v1"
        .formatted(
            properties.address() instanceof Inet6Address ? "[" + host + "]" : host,
            listener.port(),
            properties.pathPrefix());
  }

  /**
   * Starts to listen.
   *
   * @throws StartRefusedException if the port cannot be used
   */
  @Override
  public void start() {
    rehearsal.run();
    try {
      listener.start();
    } catch (IOException e) {
      throw new StartRefusedException(
          "keywell.xks.port %d cannot be used (%s)".formatted(properties.port(), e.getMessage()),
          e);
    }
    running = true;
    log.info("the external key store is served at {}", url());
  }

  @Override
  public void stop() {
    running = false;
    listener.close(patience);
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
