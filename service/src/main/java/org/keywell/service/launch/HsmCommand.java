package org.keywell.service.launch;

import java.util.List;
import org.keywell.service.hsm.HsmConfiguration;
import org.keywell.service.hsm.enrol.Enrolment;
import org.keywell.service.hsm.enrol.EnrolmentConfiguration;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * {@code hsm transport}, {@code hsm enrol}, {@code hsm accept}: one wrapping key in several HSMs.
 */
final class HsmCommand {

  private HsmCommand() {}

  /** Lazy: the device is not opened as a pool's, since it may have no wrapping key yet. */
  @Lazy
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, HsmConfiguration.class, EnrolmentConfiguration.class})
  static class Parts {}

  static void run(List<String> arguments) {
    HsmArguments command = HsmArguments.parse(arguments);
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class)
                .web(WebApplicationType.NONE)
                .lazyInitialization(true),
            "--logging.level.root=WARN")) {
      run(command, parts.getBean(Enrolment.class)).forEach(System.out::println);
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
