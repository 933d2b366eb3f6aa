package org.keywell.service.running;

import java.net.URI;
import java.util.Map;
import org.keywell.service.KeywellApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this process, so that a test can also look inside. */
public final class RunningKeywell implements AutoCloseable {

  private final ConfigurableApplicationContext context;
  private final HttpApi http;

  private RunningKeywell(ConfigurableApplicationContext context) {
    this.context = context;
    this.http =
        new HttpApi(
            URI.create(
                "http://127.0.0.1:"
                    + context.getEnvironment().getRequiredProperty("local.server.port")));
  }

  /** Starts the service; {@link #close} stops it in order. */
  public static RunningKeywell start(Map<String, String> settings) {
    return new RunningKeywell(
        new SpringApplicationBuilder(KeywellApplication.class)
            .registerShutdownHook(false)
            .run(arguments(settings)));
  }

  public HttpApi http() {
    return http;
  }

  /** A part of the service. */
  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  @Override
  public void close() {
    context.close();
  }

  /** Arguments take precedence over application.yml, which default properties do not. */
  private static String[] arguments(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
        .toArray(String[]::new);
  }
}
