package org.keywell.rest.tls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.Ssl.ServerNameSslBundle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * A port's TLS settings, bound as Spring Boot binds them for Tomcat.
 *
 * @param prefix of the port's settings: {@code server} or {@code management.server}
 */
public record ServerTls(String prefix, Ssl ssl) {

  /** Returns null if the port has no TLS. */
  public static @Nullable ServerTls of(String prefix, Environment environment) {
    Ssl ssl = Binder.get(environment).bind(prefix + ".ssl", Ssl.class).orElse(null);
    return Ssl.isEnabled(ssl) && hasKey(ssl) ? new ServerTls(prefix, ssl) : null;
  }

  /**
   * Returns the settings of a port that asks for certificates and has nothing but a bundle.
   *
   * @param prefix of the port's settings, for messages
   */
  static ServerTls ofBundle(String prefix, String bundle) {
    Ssl ssl = Ssl.forBundle(bundle);
    ssl.setClientAuth(ClientAuth.NEED);
    return new ServerTls(prefix, ssl);
  }

  /** A variable that a deployment leaves empty counts as not set. */
  private static boolean hasKey(Ssl ssl) {
    return StringUtils.hasText(ssl.getBundle())
        || StringUtils.hasText(ssl.getKeyStore())
        || StringUtils.hasText(ssl.getCertificate());
  }

  public boolean asksForCertificates() {
    return ssl.getClientAuth() != null && ssl.getClientAuth() != ClientAuth.NONE;
  }

  public boolean needsCertificates() {
    return ssl.getClientAuth() == ClientAuth.NEED;
  }

  /** Returns the bundle's name for all host names without their own; null: no bundle. */
  @Nullable String bundle() {
    return StringUtils.hasText(ssl.getBundle()) ? ssl.getBundle() : null;
  }

  /** Returns the sources of keys and trust: the port's, then those of single host names (SNI). */
  public List<StoreSource> sources() {
    List<StoreSource> all = new ArrayList<>();
    all.add(new StoreSource(this, bundle()));
    for (ServerNameSslBundle named : ssl.getServerNameBundles()) {
      all.add(new StoreSource(this, named.bundle()));
    }
    return List.copyOf(all);
  }
}
