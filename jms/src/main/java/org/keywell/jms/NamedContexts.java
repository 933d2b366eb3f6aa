package org.keywell.jms;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.remoting.impl.ssl.DefaultSSLContextFactory;
import org.apache.activemq.artemis.spi.core.remoting.ssl.SSLContextConfig;
import org.jspecify.annotations.Nullable;

/**
 * Gives Artemis's client the TLS of this service: it takes key stores from files, or asks a service
 * provider such as this. Connections that name none of these get the client's usual one.
 * Thread-safe.
 */
public final class NamedContexts extends DefaultSSLContextFactory {

  private static final ConcurrentMap<String, Supplier<SSLContext>> CONTEXTS =
      new ConcurrentHashMap<>();

  /** Artemis takes the provider with the highest number; its own have 5 and 10. */
  private static final int PRIORITY = 100;

  /**
   * @param context asked for each connection, so that it may change
   */
  static void put(String name, Supplier<SSLContext> context) {
    CONTEXTS.put(name, context);
  }

  static void remove(String name) {
    CONTEXTS.remove(name);
  }

  @Override
  public SSLContext getSSLContext(SSLContextConfig config, Map<String, Object> options)
      throws Exception {
    @Nullable Object name = options.get(TransportConstants.SSL_CONTEXT_PROP_NAME);
    @Nullable Supplier<SSLContext> named = name == null ? null : CONTEXTS.get(name.toString());
    return named == null ? super.getSSLContext(config, options) : named.get();
  }

  @Override
  public int getPriority() {
    return PRIORITY;
  }
}
