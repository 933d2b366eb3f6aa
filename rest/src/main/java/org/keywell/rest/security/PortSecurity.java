package org.keywell.rest.security;

import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.caller.Role;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/**
 * Spring Security at a port: authenticates and authorises callers. One chain for all addresses,
 * without sessions, assembled here instead of by {@code HttpSecurity}: the management port has its
 * own context, and only what is written here runs.
 */
public final class PortSecurity {

  private final EndpointRoles endpoints;
  private final CallerRegister register;
  private final @Nullable LocalToken token;
  private final boolean witness;
  private final ProblemWriter problems;

  /**
   * @param token what callers without a certificate present; null: nothing
   * @param witness whether everyone may offer checkpoints
   */
  public PortSecurity(
      EndpointRoles endpoints,
      CallerRegister register,
      @Nullable LocalToken token,
      boolean witness,
      ProblemWriter problems) {
    this.endpoints = endpoints;
    this.register = register;
    this.token = token;
    this.witness = witness;
    this.problems = problems;
  }

  /**
   * Returns the filter of the service's port.
   *
   * @param certificates whether the port requests client certificates; without them, callers are on
   *     this machine and have all roles
   */
  public FilterChainProxy ofService(boolean certificates) {
    CallerSource callers = callers(certificates, Caller.onLoopback());
    return chain(
        witness ? new OpenAddresses(endpoints.pathsOfAWitness(), callers) : callers, endpoints);
  }

  /**
   * Returns the filter of a separate management port, which has only health and metrics.
   *
   * @param certificates as above; but callers on this machine may only observe
   */
  public FilterChainProxy ofManagement(boolean certificates) {
    return chain(
        callers(certificates, Caller.onLoopback(EnumSet.of(Role.OBSERVE))),
        endpoints.ofManagement());
  }

  private CallerSource callers(boolean certificates, Caller local) {
    return certificates ? new CertificateCallers(register) : new LocalCaller(local, token);
  }

  private FilterChainProxy chain(CallerSource callers, EndpointRoles endpoints) {
    Refusals refusals = new Refusals(problems);
    ExceptionTranslationFilter translation =
        new ExceptionTranslationFilter(refusals, new NullRequestCache());
    translation.setAccessDeniedHandler(refusals);
    List<Filter> filters =
        List.of(
            // No HSTS: browsers would apply it to every listener on localhost.
            new HeaderWriterFilter(
                List.of(
                    new XContentTypeOptionsHeaderWriter(),
                    new CacheControlHeadersWriter(),
                    new XFrameOptionsHeaderWriter(
                        XFrameOptionsHeaderWriter.XFrameOptionsMode.DENY))),
            translation,
            new CallerFilter(new PublicReaders(callers, endpoints)),
            new AuthorizationFilter(endpoints));
    FilterChainProxy proxy =
        new FilterChainProxy(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters));
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    // The list of endpoints covers the methods, too.
    firewall.setUnsafeAllowAnyHttpMethod(true);
    proxy.setFirewall(firewall);
    proxy.setRequestRejectedHandler(refusals);
    return proxy;
  }
}
