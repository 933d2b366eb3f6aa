package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files that a deployment is made of, read as Docker and Prometheus read them. */
final class Deployment {

  /** The checkout: Maven runs tests in their module's directory. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Deployment() {}

  static Map<?, ?> yaml(String file) {
    try {
      return map(
          new Yaml(new SafeConstructor(new LoaderOptions()))
              .load(Files.readString(ROOT.resolve(file))));
    } catch (IOException e) {
      throw new AssertionError(file, e);
    }
  }

  static Map<?, ?> map(@Nullable Object node) {
    assertThat(node).isInstanceOf(Map.class);
    return (Map<?, ?>) Objects.requireNonNull(node);
  }

  static List<?> list(@Nullable Object node) {
    return node == null ? List.of() : (List<?>) node;
  }

  static Stream<String> strings(@Nullable Object node) {
    return list(node).stream().map(Object::toString);
  }

  /** The node at the end of a path of keys, all of which must be there but the last. */
  static @Nullable Object at(Map<?, ?> node, String... keys) {
    Map<?, ?> from = node;
    for (int i = 0; i < keys.length - 1; i++) {
      from = map(from.get(keys[i]));
    }
    return from.get(keys[keys.length - 1]);
  }
}
