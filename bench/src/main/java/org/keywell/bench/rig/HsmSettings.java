package org.keywell.bench.rig;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.settings.EnvironmentCheck;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.HsmCredentials;
import org.keywell.signing.hsm.TokenAccess;
import org.keywell.signing.hsm.TokenPreparation;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The HSM to measure: the service's own settings, read from the environment as the service does.
 *
 * @param bootstrap whether what the token lacks may be created
 */
public record HsmSettings(TokenAccess token, boolean bootstrap) {

  /**
   * Reads the {@code KEYWELL_HSM_…} variables.
   *
   * @throws IllegalArgumentException in one line that names the setting that is missing, unknown or
   *     out of range, or the file that is not fit to hold a PIN
   */
  public static HsmSettings of(Map<String, String> environment) {
    try {
      EnvironmentCheck.refuseUnknown(environment.keySet());
      HsmProperties properties = read(environment);
      if (properties.profile() != null) {
        throw new IllegalArgumentException(
            "KEYWELL_HSM_PROFILE is for a service; here the device to imitate is named with"
                + " --profile");
      }
      TokenAccess token = TokenAccess.named(properties, null);
      requirePins(token.credentials());
      return new HsmSettings(token, properties.bootstrap() == HsmProperties.Bootstrap.IF_MISSING);
    } catch (StartRefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (BindException e) {
      throw new IllegalArgumentException(explain(e), e);
    }
  }

  /**
   * Logs in to the token and creates what it lacks, if the settings say so.
   *
   * @throws org.keywell.keypool.hsm.HsmException if the token cannot be used
   */
  public Pkcs11Hsm open() {
    token.requireNoRefusedLogin();
    if (bootstrap) {
      var _ = new TokenPreparation(List.of(token)).ensure();
    }
    return Pkcs11Hsm.open(token.config(), token.credentials()::userPin);
  }

  public Pkcs11Config config() {
    return token.config();
  }

  private static HsmProperties read(Map<String, String> environment) {
    // An empty variable is not set.
    Map<String, Object> set =
        environment.entrySet().stream()
            .filter(variable -> !variable.getValue().isEmpty())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    StandardEnvironment all = new StandardEnvironment();
    String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    all.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, set));
    return Binder.get(all).bindOrCreate("keywell.hsm", HsmProperties.class);
  }

  /** Returns the settings' own error message, or else names the setting that cannot be read. */
  private static String explain(BindException failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && message.startsWith("keywell.")) {
        return message;
      }
    }
    ConfigurationProperty property = failure.getProperty();
    return property == null
        ? String.valueOf(failure.getMessage())
        : "%s is '%s', which it cannot be".formatted(property.getName(), property.getValue());
  }

  private static void requirePins(HsmCredentials credentials) {
    try (Pin _ = credentials.userPin()) {
      if (credentials.maySetUpToken()) {
        credentials.securityOfficerPin().close();
      }
    }
  }

  /** Omits the PIN. */
  @Override
  public String toString() {
    return config().toString();
  }
}
