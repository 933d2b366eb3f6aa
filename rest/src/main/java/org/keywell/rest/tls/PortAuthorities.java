package org.keywell.rest.tls;

import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundles;

/** The current authorities of a port: bundles are reread when their files change. */
final class PortAuthorities implements Supplier<Authorities> {

  private final List<StoreSource> sources;
  private final SslBundles bundles;
  private volatile Authorities current;

  PortAuthorities(ServerTls port, SslBundles bundles) {
    this.sources = port.sources();
    this.bundles = bundles;
    this.current = load();
    for (StoreSource source : sources) {
      if (source.bundle() != null) {
        bundles.addBundleUpdateHandler(source.bundle(), changed -> current = load());
      }
    }
  }

  @Override
  public Authorities get() {
    return current;
  }

  private Authorities load() {
    List<@Nullable KeyStore> stores = new ArrayList<>();
    for (StoreSource source : sources) {
      stores.add(source.load(bundles).getStores().getTrustStore());
    }
    return Authorities.of(stores);
  }
}
