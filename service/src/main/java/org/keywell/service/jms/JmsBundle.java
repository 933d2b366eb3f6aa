package org.keywell.service.jms;

import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** What an SSL bundle has for a broker's messages, as it is now. Thread-safe. */
final class JmsBundle<T> implements Supplier<T> {

  private volatile T current;

  /**
   * Reads the bundle, and again whenever its files change.
   *
   * @param setting names the bundle
   * @param reading throws an {@link IllegalStateException} if the bundle has not what is needed
   * @throws StartRefusedException if it is missing or cannot be used
   */
  JmsBundle(String setting, String name, SslBundles bundles, Function<SslBundle, T> reading) {
    try {
      current = reading.apply(bundles.getBundle(name));
    } catch (NoSuchSslBundleException e) {
      throw new StartRefusedException(
          "%1$s names '%2$s', and there is no spring.ssl.bundle.pem.%2$s or .jks.%2$s"
              .formatted(setting, name),
          e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          "%s '%s' cannot be used: %s".formatted(setting, name, e.getMessage()), e);
    }
    // What this throws, Spring Boot logs, and the files read before stay in effect.
    bundles.addBundleUpdateHandler(name, changed -> current = reading.apply(changed));
  }

  @Override
  public T get() {
    return current;
  }
}
