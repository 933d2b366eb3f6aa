package org.keywell.bench.tables.measure;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;

/** Which HSM is measured: the service's own settings, from the environment. */
public final class HsmSettings {
  private static final String PREFIX = "KEYWELL_HSM_";
  private static final String MODULE = PREFIX + "MODULE";
  private static final String TOKEN_LABEL = PREFIX + "TOKENLABEL";
  private static final String PIN_FILE = PREFIX + "PINFILE";
  private static final String PIN = PREFIX + "PIN";
  private static final String SO_PIN_FILE = PREFIX + "SOPINFILE";
  private static final String WRAPPING_KEY_LABEL = PREFIX + "WRAPPINGKEYLABEL";
  private static final String INITIALIZE_PARAMETERS = PREFIX + "INITIALIZEPARAMETERS";
  private static final String MAX_SESSIONS = PREFIX + "MAXSESSIONS";
  private static final String BOOTSTRAP = PREFIX + "BOOTSTRAP";
  private static final String PROFILE = PREFIX + "PROFILE";
  private static final Set<String> KNOWN =
      Set.of(
          MODULE,
          TOKEN_LABEL,
          PIN_FILE,
          PIN,
          SO_PIN_FILE,
          WRAPPING_KEY_LABEL,
          INITIALIZE_PARAMETERS,
          MAX_SESSIONS,
          BOOTSTRAP,
          PROFILE);

  private final Map<String, String> environment;
  private final Pkcs11Config config;
  private final boolean bootstrap;

  private HsmSettings(Map<String, String> environment, Pkcs11Config config, boolean bootstrap) {
    this.environment = environment;
    this.config = config;
    this.bootstrap = bootstrap;
  }

  /**
   * Reads the {@code KEYWELL_HSM_…} variables.
   *
   * @throws IllegalArgumentException in one line that names the variable that is missing, unknown
   *     or out of range, or the file that is not fit to hold a PIN
   */
  public static HsmSettings of(Map<String, String> environment) {
    Set<String> unknown = new TreeSet<>(environment.keySet());
    unknown.removeIf(name -> !name.startsWith(PREFIX) || KNOWN.contains(name));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown setting " + String.join(", ", unknown));
    }
    if (text(environment, PROFILE) != null) {
      throw new IllegalArgumentException(
          PROFILE + " is for a service; here the device to imitate is named with --profile");
    }
    String module = text(environment, MODULE);
    if (module == null) {
      throw new IllegalArgumentException(
          MODULE + " is not set: the path of a PKCS#11 module (./keywell load sets up SoftHSM2)");
    }
    if (text(environment, PIN_FILE) == null && text(environment, PIN) == null) {
      throw new IllegalArgumentException("no PIN: set " + PIN_FILE + " or " + PIN);
    }
    HsmSettings settings =
        new HsmSettings(environment, config(environment, module), bootstrap(environment));
    settings.requirePins();
    return settings;
  }

  private static Pkcs11Config config(Map<String, String> environment, String module) {
    try {
      return new Pkcs11Config(
          Path.of(module).toAbsolutePath(),
          environment.getOrDefault(TOKEN_LABEL, "keywell"),
          environment.getOrDefault(WRAPPING_KEY_LABEL, "keywell-wrapping"),
          Optional.ofNullable(text(environment, INITIALIZE_PARAMETERS)),
          maxSessions(environment));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PREFIX + "…: " + e.getMessage(), e);
    }
  }

  private static int maxSessions(Map<String, String> environment) {
    String text = environment.getOrDefault(MAX_SESSIONS, "64");
    int sessions = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (sessions < 4 || sessions > 1_000) {
      throw new IllegalArgumentException(MAX_SESSIONS + " is '" + text + "', expected 4-1000");
    }
    return sessions;
  }

  private static boolean bootstrap(Map<String, String> environment) {
    String text = environment.getOrDefault(BOOTSTRAP, "never");
    return switch (text) {
      case "never" -> false;
      case "if-missing" -> true;
      default ->
          throw new IllegalArgumentException(
              BOOTSTRAP + " is '" + text + "', expected never or if-missing");
    };
  }

  private static @Nullable String text(Map<String, String> environment, String name) {
    String text = environment.get(name);
    return text == null || text.isEmpty() ? null : text;
  }

  Pkcs11Config config() {
    return config;
  }

  /** Whether what the token lacks may be made. */
  boolean bootstrap() {
    return bootstrap;
  }

  /** The PIN of the token's normal user; the caller closes it. */
  Pin userPin() {
    String file = text(environment, PIN_FILE);
    return file != null
        ? Pin.ofFile(Path.of(file))
        : Pin.of(environment.getOrDefault(PIN, "").toCharArray());
  }

  private void requirePins() {
    userPin().close();
    securityOfficerPin().ifPresent(Pin::close);
  }

  /**
   * The security officer's PIN, if there is one: a token may then be made. The caller closes it.
   */
  Optional<Pin> securityOfficerPin() {
    return Optional.ofNullable(text(environment, SO_PIN_FILE)).map(Path::of).map(Pin::ofFile);
  }

  /** Without the PIN. */
  @Override
  public String toString() {
    return config.toString();
  }
}
