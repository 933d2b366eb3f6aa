package org.keywell.standalone;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Uses the launcher's development files for the ways in that it opens for a trial. An operator's
 * setting wins wherever it is made, and nothing of the same purpose is mixed with it.
 */
public final class Trial implements EnvironmentPostProcessor, Ordered {

  /** The launcher's variable: the ways in, such as {@code kmip xks jms}. */
  static final String DOORS = "KEYWELL_DOORS";

  static final String SOURCE = "trial";

  /** Not a name that operators choose: of a bundle, all or nothing is used. */
  private static final String BUNDLE = "keywell-development";

  static final String KMIP_BUNDLE = "keywell.kmip.bundle";
  static final String XKS_BUNDLE = "keywell.xks.bundle";
  static final String XKS_CREDENTIALS = "keywell.xks.credentials-file";
  static final String JMS_EMBEDDED = "keywell.jms.embedded";
  static final String CALLERS = "keywell.security.callers-file";

  /** With any of these, the broker is the operator's. */
  private static final List<String> OWN_BROKER =
      List.of(
          JMS_EMBEDDED,
          "keywell.jms.brokers",
          "keywell.jms.bundle",
          "keywell.jms.username",
          "keywell.jms.password-file");

  /** With any of these, development certificates must not make callers of an operator's. */
  private static final List<String> OWN_CALLERS =
      List.of(CALLERS, "server.ssl.client-auth", "management.server.ssl.client-auth");

  /** Runs after configuration files are read. */
  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER + 1;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    String doors = environment.getProperty(DOORS);
    @Nullable String home = environment.getProperty("keywell.home");
    if (doors != null && home != null) {
      Set<String> named = Set.of(doors.strip().split(" +"));
      environment
          .getPropertySources()
          .addLast(new MapPropertySource(SOURCE, defaults(environment, named, Path.of(home))));
    }
  }

  private static Map<String, Object> defaults(
      ConfigurableEnvironment environment, Set<String> doors, Path home) {
    Map<String, Object> defaults = new LinkedHashMap<>();
    Path certs = home.resolve("certs");
    boolean kmip = doors.contains("kmip") && !isSet(environment, KMIP_BUNDLE);
    boolean xks = doors.contains("xks") && !isSet(environment, XKS_BUNDLE);
    boolean jms =
        doors.contains("jms") && OWN_BROKER.stream().noneMatch(name -> isSet(environment, name));
    if (kmip) {
      defaults.put(KMIP_BUNDLE, BUNDLE);
    }
    if (xks) {
      defaults.put(XKS_BUNDLE, BUNDLE);
    }
    if (kmip || xks) {
      putBundle(defaults, certs);
    }
    if (doors.contains("xks") && !isSet(environment, XKS_CREDENTIALS)) {
      defaults.put(XKS_CREDENTIALS, home.resolve("xks/credentials").toString());
    }
    if (jms) {
      defaults.put(JMS_EMBEDDED, true);
      defaults.put("keywell.jms.validated-user", true);
      defaults.put("keywell.jms.username", "keywell");
      defaults.put("keywell.jms.password-file", home.resolve("jms/keywell.password").toString());
    }
    if ((kmip || jms) && OWN_CALLERS.stream().noneMatch(name -> isSet(environment, name))) {
      // The launcher keeps the caller that sends over the broker in both files.
      Path folder = kmip ? certs : home.resolve("jms");
      defaults.put(CALLERS, folder.resolve("callers.yaml").toString());
      if (kmip && !isSet(environment, "keywell.security.revocation")) {
        defaults.put("keywell.security.revocation.crl-file", certs.resolve("ca.crl").toString());
      }
    }
    return defaults;
  }

  private static void putBundle(Map<String, Object> defaults, Path certs) {
    String bundle = "spring.ssl.bundle.pem." + BUNDLE + ".";
    defaults.put(bundle + "reload-on-update", true);
    defaults.put(bundle + "keystore.certificate", "file:" + certs.resolve("server.crt"));
    defaults.put(bundle + "keystore.private-key", "file:" + certs.resolve("server.key"));
    defaults.put(bundle + "keystore.verify-keys", true);
    defaults.put(bundle + "truststore.certificate", "file:" + certs.resolve("ca.crt"));
  }

  /** Whether any source has the setting, or one below it, however it spells the name. */
  private static boolean isSet(ConfigurableEnvironment environment, String setting) {
    ConfigurationPropertyName name = ConfigurationPropertyName.of(setting);
    return Stream.of(ConfigurationPropertySources.get(environment))
        .flatMap(sources -> StreamSupport.stream(sources.spliterator(), false))
        .anyMatch(source ->
            source.getConfigurationProperty(name) != null
                || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
  }
}
