package org.keywell.service.launch;

import java.util.List;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.hsm.TokenAccess;
import org.keywell.signing.hsm.enrol.Enrolment;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * {@code hsm transport}, {@code hsm enrol}, {@code hsm accept}: one wrapping key in several HSMs.
 */
final class HsmCommand {

  private HsmCommand() {}

  /** Only the settings: a token without a wrapping key is not opened for a pool. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  static class Parts {}

  static void run(List<String> arguments) {
    HsmArguments command = HsmArguments.parse(arguments);
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class).web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      HsmProperties properties = parts.getBean(KeywellProperties.class).hsm();
      Enrolment enrolment =
          new Enrolment(TokenAccess.named(properties, command.device().orElse(null)));
      run(command, enrolment).forEach(System.out::println);
    }
  }

  private static List<String> run(HsmArguments command, Enrolment enrolment) {
    return switch (command) {
      case HsmArguments.Transport transport -> enrolment.request(transport.file());
      case HsmArguments.Enrol enrol ->
          enrolment.enrol(enrol.label(), enrol.requests(), enrol.fingerprints());
      case HsmArguments.Accept accept -> enrolment.accept(accept.answer(), accept.fingerprint());
    };
  }
}
