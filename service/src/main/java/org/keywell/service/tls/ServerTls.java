package org.keywell.service.tls;

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
 * What the settings of a port say about TLS, bound as Spring Boot binds them for Tomcat.
 *
 * @param prefix of the port's settings: {@code server} or {@code management.server}
 */
public record ServerTls(String prefix, Ssl ssl) {

  /** Null if the port is without TLS. */
  public static @Nullable ServerTls of(String prefix, Environment environment) {
    Ssl ssl = Binder.get(environment).bind(prefix + ".ssl", Ssl.class).orElse(null);
    return Ssl.isEnabled(ssl) && hasKey(ssl) ? new ServerTls(prefix, ssl) : null;
  }

  /** A variable that a deployment leaves empty sets nothing. */
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

  /** Name of the bundle for all host names that have none of their own; null: without bundle. */
  @Nullable String bundle() {
    return StringUtils.hasText(ssl.getBundle()) ? ssl.getBundle() : null;
  }

  /** Where keys and trust are from: those of the port, then those for single host names (SNI). */
  public List<StoreSource> sources() {
    List<StoreSource> all = new ArrayList<>();
    all.add(new StoreSource(this, bundle()));
    for (ServerNameSslBundle named : ssl.getServerNameBundles()) {
      all.add(new StoreSource(this, named.bundle()));
    }
    return List.copyOf(all);
  }
}
