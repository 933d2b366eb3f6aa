package org.keywell.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Finds environment variables that look like settings but are not. Spring refuses unknown settings
 * only in files, so it would ignore a misspelt variable.
 *
 * <p>Checks only names below a section of {@link KeywellProperties}, such as {@code
 * KEYWELL_SIGN_…}: the launcher and the client have their own variables.
 */
public final class EnvironmentCheck {

  private static final String PREFIX = "KEYWELL";

  private EnvironmentCheck() {}

  /**
   * Checks the names of variables.
   *
   * @throws StartRefusedException if there are variables that no setting reads; it names all
   */
  public static void refuseUnknown(Set<String> variables) {
    List<Pattern> known = new ArrayList<>();
    List<String> sections = new ArrayList<>();
    for (Field setting : settings(KeywellProperties.class)) {
      collect(PREFIX + plain(setting.getName()), setting.getGenericType(), known);
      if (setting.getType().isRecord()) {
        sections.add(PREFIX + "_" + plain(setting.getName()) + "_");
      }
    }
    Set<String> unknown = new TreeSet<>();
    for (String variable : variables) {
      if (sections.stream().anyMatch(variable::startsWith)
          && known.stream().noneMatch(name -> name.matcher(plain(variable)).matches())) {
        unknown.add(variable);
      }
    }
    if (!unknown.isEmpty()) {
      throw new StartRefusedException(
          "unknown configuration in the environment: " + String.join(", ", unknown));
    }
  }

  private static void collect(String name, Type type, List<Pattern> known) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
      collect(name + "[A-Z0-9]+", generic.getActualTypeArguments()[1], known);
    } else if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      Type element = generic.getActualTypeArguments()[0];
      if (isRecord(element)) {
        collect(name + "[0-9]+", element, known);
      } else {
        known.add(Pattern.compile(name + "[0-9]*"));
      }
    } else if (type instanceof Class<?> record && record.isRecord()) {
      for (Field setting : settings(record)) {
        Name named = setting.getAnnotation(Name.class);
        String own = named == null ? setting.getName() : named.value();
        collect(name + plain(own), setting.getGenericType(), known);
      }
    } else {
      known.add(Pattern.compile(name));
    }
  }

  private static boolean isRecord(Type type) {
    return type instanceof Class<?> element && element.isRecord();
  }

  /** A record's fields are its components, and have the annotations that rename them. */
  private static List<Field> settings(Class<?> record) {
    return Stream.of(record.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .toList();
  }

  /** Relaxed binding ignores case and separators. */
  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
  }
}
