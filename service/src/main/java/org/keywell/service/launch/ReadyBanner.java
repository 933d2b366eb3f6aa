package org.keywell.service.launch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.kmip.KmipDoor;
import org.keywell.service.xks.XksDoor;
import org.keywell.settings.ConsoleProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.hsm.HsmTimes;
import org.keywell.signing.start.EndSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Prints on standard output that the service is ready, and a command to try. */
@Component
public final class ReadyBanner {

  private static final Logger log = LoggerFactory.getLogger(ReadyBanner.class);

  private final Environment environment;
  private final HsmTimes times;
  private final ConsoleProperties console;
  private final @Nullable Path localToken;
  private final List<KeySpec> pooled;
  private final DatabaseServer database;
  private final ObjectProvider<EndSignal> end;
  private final ObjectProvider<KmipDoor> kmip;
  private final ObjectProvider<XksDoor> xks;

  public ReadyBanner(
      Environment environment,
      HsmTimes times,
      KeywellProperties properties,
      DatabaseServer database,
      ObjectProvider<EndSignal> end,
      ObjectProvider<KmipDoor> kmip,
      ObjectProvider<XksDoor> xks) {
    this.environment = environment;
    this.times = times;
    this.console = properties.console();
    this.localToken = properties.security().localTokenFile();
    this.pooled = properties.pool().limits().stream().map(PoolLimits::spec).toList();
    this.database = database;
    this.end = end;
    this.kmip = kmip;
    this.xks = xks;
  }

  @EventListener
  public void onReady(ApplicationReadyEvent event) {
    if (!(event.getApplicationContext() instanceof WebServerApplicationContext web)
        || web.getWebServer() == null) {
      return;
    }
    EndSignal signal = end.getIfAvailable();
    if (signal != null && signal.isRaised()) {
      return;
    }
    String url = url(web.getWebServer().getPort());
    database.announce(url);
    if (environment.containsProperty("logging.structured.format.console")) {
      // Readers of structured lines cannot parse others among them.
      log.info("Keywell is ready: {}", url);
      return;
    }
    System.out.printf("Keywell is ready: %s%n", url);
    @Nullable String profile = times.profileName();
    if (profile != null) {
      System.out.printf("HSM times are SIMULATED: %s (keywell.hsm.profile)%n", profile);
    }
    if (url.startsWith("http:")) {
      // In one piece: printf would let other threads' lines in between.
      System.out.println(
          "Try: curl -sS %s/sign%s -H 'Content-Type: application/json' -d '%s'"
              .formatted(url, tokenHeader(), exampleBody()));
      System.out.printf("API: %s/swagger-ui.html%n", url);
    }
    if (console.enabled()) {
      System.out.printf("Console: %s/console%n", url);
    }
    kmip.ifAvailable(
        door -> System.out.printf("KMIP: %s, with client certificates%n", door.address()));
    xks.ifAvailable(door -> System.out.printf("XKS: %s, with signed requests%n", door.url()));
    managementUrl()
        .ifPresent(management ->
            System.out.printf(
                "Health: %s/health  Metrics: %s/prometheus%n", management, management));
  }

  /** Returns the URL of health and metrics if they have a separate port. */
  private Optional<String> managementUrl() {
    return Optional.ofNullable(environment.getProperty("local.management.port"))
        .filter(port -> !port.equals(environment.getProperty("local.server.port")))
        .map(port ->
            "http%s://%s:%s/actuator"
                .formatted(
                    environment.getProperty("management.server.ssl.enabled", Boolean.class, true)
                        ? "s"
                        : "",
                    environment.getProperty("management.server.address", "127.0.0.1"),
                    port));
  }

  private String url(int port) {
    boolean tls =
        environment.containsProperty("server.ssl.bundle")
            || environment.containsProperty("server.ssl.key-store")
            || environment.containsProperty("server.ssl.certificate");
    String address = environment.getProperty("server.address", "127.0.0.1");
    return (tls ? "https://" : "http://") + address + ":" + port;
  }

  /** For a shell; does not print the token. */
  private String tokenHeader() {
    return localToken == null
        ? ""
        : " -H \"Authorization: Bearer $(cat '%s')\"".formatted(localToken);
  }

  /** Names a kind of key only if the default kind of requests has no pool. */
  private String exampleBody() {
    return """
    {"digestAlgorithm":"SHA-256","digest":"%s",%s"signer":{"commonName":"Astrid Exempel"}}\
    """
        .formatted(
            Base64.getEncoder().encodeToString(sha256("hello")),
            pooled.contains(KeySpec.RSA_2048)
                ? ""
                : "\"keySpec\":\"%s\",".formatted(pooled.getFirst()));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
