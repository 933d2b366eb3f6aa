package org.keywell.rest.security;

import java.util.List;
import org.keywell.signing.caller.Caller;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;

/** A caller in Spring Security's terms. Its rights come from the {@link Caller} itself. */
final class CallerAuthentication extends AbstractAuthenticationToken {
  private static final long serialVersionUID = 1L;

  private final transient Caller caller;

  CallerAuthentication(Caller caller) {
    super(List.<GrantedAuthority>of());
    this.caller = caller;
    setAuthenticated(true);
  }

  @Override
  public Caller getPrincipal() {
    return caller;
  }

  /** None are kept. */
  @Override
  public String getCredentials() {
    return "";
  }

  @Override
  public String getName() {
    return caller.name();
  }
}
