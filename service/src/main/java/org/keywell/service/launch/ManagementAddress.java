package org.keywell.service.launch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives health and metrics a separate port unless configured otherwise: the one after the
 * service's, on the loopback interface, without TLS. So callers of the service cannot read them,
 * and probes are still answered while the service takes no requests.
 */
public final class ManagementAddress implements EnvironmentPostProcessor, Ordered {

  private static final String PORT = "management.server.port";
  private static final String ADDRESS = "management.server.address";
  private static final String TLS = "management.server.ssl";
  private static final String LOOPBACK = "127.0.0.1";
  private static final int LAST_PORT = 65_535;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    Map<String, Object> defaults = new LinkedHashMap<>();
    int servicePort = port(environment, "server.port", 8080);
    if (!environment.containsProperty(PORT)) {
      defaults.put(PORT, servicePort == 0 ? 0 : next(servicePort));
    } else if (port(environment, PORT, 0) == servicePort && servicePort != 0) {
      return;
    }
    if (!environment.containsProperty(ADDRESS)) {
      defaults.put(ADDRESS, LOOPBACK);
    }
    if (!environment.containsProperty(TLS + ".bundle")
        && !environment.containsProperty(TLS + ".key-store")
        && !environment.containsProperty(TLS + ".certificate")) {
      defaults.put(TLS + ".enabled", false);
    }
    environment.getPropertySources().addLast(new MapPropertySource("management", defaults));
  }

  private static int next(int servicePort) {
    if (servicePort >= LAST_PORT) {
      throw new StartRefusedException(
          "server.port is " + servicePort + ", and no port is after it: set " + PORT);
    }
    return servicePort + 1;
  }

  private static int port(ConfigurableEnvironment environment, String name, int otherwise) {
    String text = environment.getProperty(name, Integer.toString(otherwise));
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new StartRefusedException(name + " is '" + text + "', no port", e);
    }
  }

  /** Runs after configuration files are read. */
  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER + 1;
  }
}
