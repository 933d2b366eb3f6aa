package org.keywell.operations.health;

import java.util.Locale;
import java.util.ResourceBundle;
import org.keywell.keypool.hsm.HsmHealth;

/** What an operator can do about a device, from {@code hsm-hints.properties}. */
final class HsmHints {

  private final ResourceBundle texts;

  private HsmHints(ResourceBundle texts) {
    this.texts = texts;
  }

  static HsmHints load() {
    return new HsmHints(
        ResourceBundle.getBundle("org.keywell.operations.health.hsm-hints", Locale.ROOT));
  }

  String of(HsmHealth health) {
    return texts.getString(health.hung() ? "hung" : health.state().name().toLowerCase(Locale.ROOT));
  }
}
