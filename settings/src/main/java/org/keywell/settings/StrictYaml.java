package org.keywell.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

/** Reads the operator's files that are not application settings, by the same rules. */
public final class StrictYaml {

  /** Larger than any file that a person maintains. */
  private static final long MAX_BYTES = 1024 * 1024;

  private StrictYaml() {}

  /**
   * Binds one key of a YAML file to a record, as Spring Boot binds settings.
   *
   * @param key the only top-level key of the file
   * @throws StartRefusedException naming the file, if it cannot be read, or has an unknown key or a
   *     value that the record refuses
   */
  public static <T> T read(Path file, String key, Class<T> type) {
    return bind(file.toString(), content(file), key, type);
  }

  /**
   * Reads a file's content.
   *
   * @throws StartRefusedException naming the file, if it cannot be read, or is too large
   */
  public static byte[] content(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new StartRefusedException(file + " is larger than 1 MiB");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StartRefusedException(file + " cannot be read: " + e, e);
    }
  }

  /** Like {@link #read}, for a file's content; {@code name} names it in messages. */
  public static <T> T bind(String name, byte[] content, String key, Class<T> type) {
    try {
      PlainYaml.require(name, content);
      List<PropertySource<?>> documents =
          new YamlPropertySourceLoader().load(name, new ByteArrayResource(content, name));
      if (documents.size() != 1) {
        throw new StartRefusedException(
            name + " has " + documents.size() + " YAML documents, not one");
      }
      for (Object property : ((Map<?, ?>) documents.getFirst().getSource()).keySet()) {
        if (!isBelow(key, property.toString())) {
          throw new StartRefusedException(
              name + ": " + property + " is not known here; all is below " + key);
        }
      }
      MutablePropertySources sources = new MutablePropertySources();
      sources.addFirst(documents.getFirst());
      Iterable<ConfigurationPropertySource> properties = ConfigurationPropertySources.from(sources);
      BoundNames bound = new BoundNames();
      T value =
          new Binder(properties)
              .bind(
                  key,
                  Bindable.of(type),
                  new NoUnboundElementsBindHandler(bound, new UnboundElementsSourceFilter()))
              .orElseThrow(() -> new StartRefusedException(name + " has no " + key));
      bound.requireAll(name, properties);
      return value;
    } catch (BindException e) {
      throw new StartRefusedException(name + ": " + reason(e), e);
    } catch (StackOverflowError e) {
      throw new StartRefusedException(name + " is nested too deeply", e);
    } catch (IOException | RuntimeException e) {
      if (e instanceof StartRefusedException refused) {
        throw refused;
      }
      throw new StartRefusedException(name + " is not YAML: " + e.getMessage(), e);
    }
  }

  private static boolean isBelow(String key, String property) {
    return property.equals(key) || property.startsWith(key + ".") || property.startsWith(key + "[");
  }

  private static String reason(BindException e) {
    Throwable root = NestedExceptionUtils.getMostSpecificCause(e);
    String line =
        e.getProperty() != null
                && e.getProperty().getOrigin() instanceof PropertySourceOrigin property
                && property.getOrigin() instanceof TextResourceOrigin text
                && text.getLocation() != null
            ? "line %d: ".formatted(text.getLocation().getLine() + 1)
            : "";
    boolean wholeNumber =
        root instanceof IllegalArgumentException
            && Integer.class == ClassUtils.resolvePrimitiveIfNecessary(targetClass(e));
    return "%s%s: %s"
        .formatted(
            line,
            e.getName(),
            wholeNumber ? "no whole number up to " + Integer.MAX_VALUE : root.getMessage());
  }

  private static Class<?> targetClass(BindException e) {
    return e.getTarget().getType().resolve(Object.class);
  }

  /**
   * Spring's own check takes unknown keys below a list element for values that another source
   * overrides. Here there is only one source.
   */
  private static final class BoundNames extends AbstractBindHandler {

    private final Set<ConfigurationPropertyName> names = new HashSet<>();

    @Override
    public Object onSuccess(
        ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
      names.add(name);
      return result;
    }

    void requireAll(String file, Iterable<ConfigurationPropertySource> properties) {
      for (ConfigurationPropertySource source : properties) {
        if (source instanceof IterableConfigurationPropertySource iterable) {
          iterable.stream()
              .filter(property -> !names.contains(property))
              .findFirst()
              .ifPresent(unknown -> {
                throw new StartRefusedException(file + ": " + unknown + " is not known");
              });
        }
      }
    }
  }
}
