package org.keywell.service.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.TokenAccess;
import org.keywell.signing.hsm.enrol.Enrolment;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One wrapping key in several HSMs. A device need be named only if there are several. */
@Command(name = "hsm")
final class HsmCommand {

  /** Only the settings: a token without a wrapping key is not opened for a pool. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  static class Parts {}

  @Command
  void transport(
      @Option(names = Commands.DEVICE) @Nullable String device,
      @Parameters(paramLabel = "FILE") Path file) {
    run(device, enrolment -> enrolment.request(file));
  }

  @Command
  void enrol(
      @Option(names = Commands.DEVICE) @Nullable String device,
      @Option(names = "--label", required = true) String label,
      @Option(names = "--fingerprint", required = true) List<String> fingerprints,
      @Parameters(paramLabel = "REQUEST", arity = "1..*") List<Path> requests) {
    if (fingerprints.size() != requests.size()) {
      throw new StartRefusedException("hsm enrol needs a --fingerprint for each request");
    }
    run(device, enrolment -> enrolment.enrol(label, requests, fingerprints));
  }

  @Command
  void accept(
      @Option(names = Commands.DEVICE) @Nullable String device,
      @Option(names = "--fingerprint", required = true) String fingerprint,
      @Parameters(paramLabel = "ANSWER") Path answer) {
    run(device, enrolment -> enrolment.accept(answer, fingerprint));
  }

  private static void run(@Nullable String device, Function<Enrolment, List<String>> command) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class).web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      HsmProperties properties = parts.getBean(KeywellProperties.class).hsm();
      command
          .apply(new Enrolment(TokenAccess.named(properties, device)))
          .forEach(System.out::println);
    }
  }
}
