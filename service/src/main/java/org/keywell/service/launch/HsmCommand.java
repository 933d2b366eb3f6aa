package org.keywell.service.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
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
    run("hsm transport", device, enrolment -> enrolment.request(file));
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
    run("hsm enrol", device, enrolment -> enrolment.enrol(label, requests, fingerprints));
  }

  @Command
  void accept(
      @Option(names = Commands.DEVICE) @Nullable String device,
      @Option(names = "--fingerprint", required = true) String fingerprint,
      @Parameters(paramLabel = "ANSWER") Path answer) {
    run("hsm accept", device, enrolment -> enrolment.accept(answer, fingerprint));
  }

  /** The token, what was made, and fingerprints; not where files are. */
  private static List<String> told(TokenAccess token, List<String> report) {
    return Stream.concat(
            Stream.of("token '%s'".formatted(token.tokenLabel())),
            report.stream()
                .filter(line -> line.startsWith("created: ") || line.startsWith("fingerprint: ")))
        .toList();
  }

  private static void run(
      String name, @Nullable String device, Function<Enrolment, List<String>> command) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class).web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      HsmProperties properties = parts.getBean(KeywellProperties.class).hsm();
      TokenAccess token = TokenAccess.named(properties, device);
      List<String> report = command.apply(new Enrolment(token));
      report.forEach(System.out::println);
      ToldLog.of(parts).tell("enrolment", name, told(token, report));
    }
  }
}
