package org.keywell.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.service.xks.XksDoor;
import org.keywell.signing.caller.CallerRegister;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;

/** Prints what to try at each way in that {@link Trial} set up, for a shell. */
public final class TrialExamples implements ApplicationListener<ApplicationReadyEvent> {

  /** The launcher's variable: where the sources are, with the launcher and the examples. */
  private static final String CHECKOUT = "KEYWELL_CHECKOUT";

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    ConfigurableEnvironment environment = event.getApplicationContext().getEnvironment();
    PropertySource<?> trial = environment.getPropertySources().get(Trial.SOURCE);
    // Readers of structured lines cannot parse others among them.
    if (trial == null || environment.containsProperty("logging.structured.format.console")) {
      return;
    }
    ApplicationContext context = event.getApplicationContext();
    String home = environment.getRequiredProperty("keywell.home");
    String callers = String.valueOf(environment.getProperty(Trial.CALLERS));
    if (trial.containsProperty(Trial.KMIP_BUNDLE)) {
      System.out.printf(
          "KMIP: clients present certificates of %s/certs; the callers are those of %s%n",
          home, callers);
    }
    if (trial.containsProperty(Trial.XKS_CREDENTIALS)) {
      context
          .getBeanProvider(XksDoor.class)
          .ifAvailable(door -> System.out.println(xks(environment, trial, home, door.url())));
    }
    if (trial.containsProperty(Trial.JMS_EMBEDDED)) {
      boolean known =
          context.getBean(CallerRegister.class).ofBrokerUser(HomeBroker.TRIAL).isPresent();
      System.out.println(known ? jms(environment, home) : unknown(callers));
    }
  }

  private static String xks(
      ConfigurableEnvironment environment, PropertySource<?> trial, String home, String url) {
    // Another certificate may be signed by any authority.
    String authority =
        trial.containsProperty(Trial.XKS_BUNDLE) ? " --cacert '" + home + "/certs/ca.crt'" : "";
    return """
    XKS: make a key, from another terminal: KEYWELL_HOME='%s' '%s/keywell' xks create-key trial
    Try, then: curl -sS%s --aws-sigv4 aws:amz:us-east-1:kms-xks-proxy \
    --user "$(tr ' ' ':' <'%s')" -H 'Content-Type: application/json' %s/keys/trial/encrypt \
    -d '{"requestMetadata":{"awsPrincipalArn":"me","kmsKeyArn":"none","kmsOperation":"Encrypt",\
    "kmsRequestId":"1"},"plaintext":"SGVsbG8=","encryptionAlgorithm":"AES_GCM"}'\
    """
        .formatted(
            home,
            environment.getProperty(CHECKOUT, "."),
            authority,
            trial.getProperty(Trial.XKS_CREDENTIALS),
            url);
  }

  private static String jms(ConfigurableEnvironment environment, String home) {
    String users =
        "JMS: a broker at 127.0.0.1:61616; the password of its user trial: %s/jms/trial.password"
            .formatted(home);
    // The client's jars are there once the launcher has unpacked the service.
    @Nullable Path folder = Path.of(System.getProperty("java.class.path")).getParent();
    Path jars = Objects.requireNonNullElse(folder, Path.of(".")).resolve("lib");
    return !Files.isDirectory(jars)
        ? users
        : """
        %s
        Try: '%s/bin/java' -cp '%s/*' '%s/examples/jms/SignOverJms.java' '%s/jms/trial.password'\
        """
            .formatted(
                users,
                System.getProperty("java.home"),
                jars,
                environment.getProperty(CHECKOUT, "."),
                home);
  }

  private static String unknown(String callers) {
    return """
    JMS: nobody can send yet: no caller of %s is the broker's user trial; add there
      - {name: trial, broker-user: trial, roles: [sign], identity: trusted-caller}\
    """
        .formatted(callers);
  }
}
