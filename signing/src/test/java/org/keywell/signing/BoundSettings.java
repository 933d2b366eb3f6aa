package org.keywell.signing;

import java.util.HashMap;
import java.util.Map;
import org.keywell.settings.KeywellProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings as Spring binds them, without the environment of the tests. */
public final class BoundSettings {

  private BoundSettings() {}

  /**
   * The defaults with these changed, each {@code key=value}; an unknown key is refused, as at the
   * start.
   */
  public static KeywellProperties of(String... settings) {
    Map<String, String> changed = new HashMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      changed.put(parts[0], parts[1]);
    }
    return new Binder(new MapConfigurationPropertySource(changed))
        .bindOrCreate(
            "keywell",
            Bindable.of(KeywellProperties.class),
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
  }
}
