package org.keywell.keypool.hsm.timed;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a profile from YAML; each error is one line that names the file and the key. */
final class ProfileText {

  private static final Set<String> REQUIRED =
      Set.of("name", "source", "generation", "wrapping", "unwrapping", "signing");
  private static final Set<String> OPTIONAL = Set.of("lanes", "unwrap-lanes");

  private final String file;
  private final Map<String, Object> values;

  private ProfileText(String file, Map<String, Object> values) {
    this.file = file;
    this.values = values;
  }

  /**
   * @param file names the text in errors
   * @throws IllegalArgumentException if the text is not a profile
   */
  static DeviceProfile parse(String file, String yaml) {
    ProfileText text = new ProfileText(file, load(file, yaml));
    text.requireKeys();
    return text.profile();
  }

  private static Map<String, Object> load(String file, String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0);
    Object loaded;
    try {
      loaded = new Yaml(new SafeConstructor(options)).load(yaml);
    } catch (MarkedYAMLException e) {
      String where =
          e.getProblemMark() == null ? "" : "line " + (e.getProblemMark().getLine() + 1) + ": ";
      throw new IllegalArgumentException(file + ": " + where + e.getProblem(), e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(file + ": not YAML", e);
    }
    if (!(loaded instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(file + ": expected keys with values");
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.forEach((key, value) -> {
      if (value == null) {
        throw new IllegalArgumentException(file + ": " + key + " has no value");
      }
      values.put(String.valueOf(key), value);
    });
    return values;
  }

  private void requireKeys() {
    Set<String> unknown = new TreeSet<>(values.keySet());
    unknown.removeAll(REQUIRED);
    unknown.removeAll(OPTIONAL);
    if (!unknown.isEmpty()) {
      Set<String> known = new TreeSet<>(REQUIRED);
      known.addAll(OPTIONAL);
      throw invalid("unknown key " + String.join(", ", unknown) + "; known: " + known);
    }
    Set<String> missing = new TreeSet<>(REQUIRED);
    missing.removeAll(values.keySet());
    if (!missing.isEmpty()) {
      throw invalid("missing key " + String.join(", ", missing));
    }
  }

  private DeviceProfile profile() {
    String name = string("name");
    String source = string("source");
    int lanes = number("lanes", 1);
    int unwrapLanes = number("unwrap-lanes", 0);
    OperationTime generation = range("generation");
    OperationTime wrapping = range("wrapping");
    OperationTime unwrapping = range("unwrapping");
    OperationTime signing = range("signing");
    try {
      return new DeviceProfile(
          name, source, lanes, unwrapLanes, generation, wrapping, unwrapping, signing);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  private String string(String key) {
    if (values.get(key) instanceof String text) {
      return text.strip();
    }
    throw invalid(key + " is not text: " + values.get(key));
  }

  private int number(String key, int ifAbsent) {
    @Nullable Object value = values.get(key);
    if (value == null) {
      return ifAbsent;
    }
    if (value instanceof Integer number) {
      return number;
    }
    throw invalid(key + " is not a number: " + value);
  }

  private OperationTime range(String key) {
    String text = String.valueOf(values.get(key));
    try {
      return OperationTime.parse(text);
    } catch (IllegalArgumentException e) {
      throw invalid(key + ": '" + text + "' " + e.getMessage());
    }
  }

  private IllegalArgumentException invalid(String problem) {
    return new IllegalArgumentException(file + ": " + problem);
  }
}
