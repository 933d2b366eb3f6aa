package org.keywell.acceptance.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.stream.Stream;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.launch.KeywellApplication;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Await;
import org.keywell.testkit.Scrape;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this process, so that a test can also look inside. */
public final class RunningKeywell implements AutoCloseable {

  private final ConfigurableApplicationContext context;
  private final HttpApi http;

  private RunningKeywell(ConfigurableApplicationContext context) {
    this.context = context;
    this.http = new HttpApi(URI.create("http://127.0.0.1:" + port()));
  }

  /** Starts the service; {@link #close} stops it in order. */
  public static RunningKeywell start(Map<String, String> settings) {
    return start(settings, KeywellApplication.class);
  }

  /**
   * Starts the service with parts of a test's own.
   *
   * @param parts {@link KeywellApplication} among them
   */
  public static RunningKeywell start(Map<String, String> settings, Class<?>... parts) {
    return new RunningKeywell(
        new SpringApplicationBuilder(parts).registerShutdownHook(false).run(arguments(settings)));
  }

  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  public HttpApi http() {
    return http;
  }

  /** Health and metrics, on their own port. */
  public HttpApi management() {
    int port = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    return new HttpApi(URI.create("http://127.0.0.1:" + port));
  }

  /** What Prometheus would get now. */
  public Scrape scrape() throws IOException, InterruptedException {
    return Scrape.parse(management().text("/actuator/prometheus"));
  }

  /** A part of the service. */
  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  /** Waits until exactly so many keys are loaded. */
  public void awaitLoaded(KeySpec spec, int keys) throws InterruptedException {
    Await.until(keys + " " + spec + " keys are loaded", () -> loaded(spec) == keys);
  }

  /** Fails if a private key lives in the HSM beyond the loaded ones, counted through PKCS#11. */
  public void assertNoKeyButLoaded() {
    long loaded =
        Stream.of(KeySpec.values())
            .filter(part(KeyPools.class)::serves)
            .mapToLong(this::loaded)
            .sum();
    assertThat(part(Devices.class).first().hsm().countLiveKeys())
        .as("private keys live in the HSM, of which %s are loaded", loaded)
        .isEqualTo(loaded);
  }

  /** How many keys of this kind are loaded and not leased. */
  public int loaded(KeySpec spec) {
    return part(KeyPools.class).depth(spec).loaded();
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
