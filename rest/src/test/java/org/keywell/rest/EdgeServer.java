package org.keywell.rest;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileSettings;
import org.keywell.rest.http.Door;
import org.keywell.rest.problem.ProblemAdvice;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.rest.web.WebConfiguration;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.caller.Role;
import org.keywell.signing.log.LogNotes;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The service's web servers as they are configured, with nothing behind them but an echo. */
public final class EdgeServer implements AutoCloseable {

  private final ConfigurableApplicationContext context;

  private EdgeServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Starts both servers on free ports; settings such as {@code --server.ssl.bundle=x}. */
  public static EdgeServer start(String... settings) {
    return new EdgeServer(
        new SpringApplicationBuilder(Echo.class)
            .properties("management.endpoint.health.validate-group-membership=false")
            .registerShutdownHook(false)
            .run(arguments(settings)));
  }

  /** Takes precedence over application.yml. */
  private static String[] arguments(String... settings) {
    String[] all = new String[settings.length + 1];
    all[0] = "--server.port=0";
    System.arraycopy(settings, 0, all, 1, settings.length);
    return all;
  }

  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  public int managementPort() {
    return context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
  }

  /** What callers were answered with, and how often they hung up. */
  public Answers answers() {
    return context.getBean(Answers.class);
  }

  @Override
  public void close() {
    context.close();
  }

  /** Counts. */
  public static final class Answers implements ProblemListener {
    private final Queue<ProblemType> problems = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hangUps = new AtomicInteger();

    @Override
    public void answered(ProblemType type) {
      problems.add(type);
    }

    @Override
    public void hungUp() {
      hangUps.incrementAndGet();
    }

    public List<ProblemType> problems() {
      return List.copyOf(problems);
    }

    public int hangUps() {
      return hangUps.get();
    }
  }

  /** A few addresses behind the edge. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({WebConfiguration.class, ProblemAdvice.class, Echo.Controller.class})
  static class Echo {

    /** One value. */
    record Message(String text) {}

    @Bean
    Door door() {
      return (method, path) -> null;
    }

    @Bean
    CertificateProfiles certificateProfiles() {
      return CertificateProfiles.ofStandard(ProfileSettings.defaults());
    }

    @Bean
    LogNotes logNotes() {
      return LogNotes.none();
    }

    @Bean
    Answers answers() {
      return new Answers();
    }

    /** Whatever the method, so that a test reaches what is behind. */
    @Bean
    @Primary
    EndpointRoles endpointRolesOfTests() {
      EndpointRoles roles = EndpointRoles.ofTheService();
      for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
        roles =
            roles
                .with(method, "/echo", Role.values())
                .with(method, "/large", Role.values())
                .with(method, "/actuator/health", Role.OBSERVE);
      }
      return roles;
    }

    @RestController
    static class Controller {
      @PostMapping(
          path = "/echo",
          consumes = MediaType.APPLICATION_JSON_VALUE,
          produces = MediaType.APPLICATION_JSON_VALUE)
      ResponseEntity<Message> echo(@RequestBody Message message) {
        return ResponseEntity.ok().header("Server-Timing", "echo").body(message);
      }

      @GetMapping("/echo")
      Message hello() {
        return new Message("hello");
      }

      /** More than the system keeps for a caller. */
      @GetMapping(path = "/large", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
      byte[] large() {
        return new byte[10_000_000];
      }
    }
  }
}
