package org.keywell.settings;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** SHA-256 over all settings in force but secrets: a hash would let these be guessed. */
public final class ConfigurationDigest {

  private static final Set<String> SECRET = Set.of("pin", "password");

  private final MessageDigest digest;

  private ConfigurationDigest(MessageDigest digest) {
    this.digest = digest;
  }

  /** Returns the digest; the same settings have the same one, at any start of a version. */
  public static byte[] of(KeywellProperties properties) {
    try {
      ConfigurationDigest digest = new ConfigurationDigest(MessageDigest.getInstance("SHA-256"));
      digest.add("keywell", properties);
      return digest.digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void add(String name, @Nullable Object value) {
    switch (value) {
      case Record settings -> addEach(name, settings);
      case Collection<?> values -> {
        int i = 0;
        for (Object each : values) {
          add(name + "[" + i++ + "]", each);
        }
      }
      case Map<?, ?> values ->
          new TreeMap<Object, Object>(values).forEach((key, each) -> add(name + "." + key, each));
      case null, default ->
          digest.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void addEach(String name, Record settings) {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      if (!SECRET.contains(component.getName())) {
        try {
          add(name + "." + component.getName(), component.getAccessor().invoke(settings));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("settings are public records", e);
        }
      }
    }
  }
}
