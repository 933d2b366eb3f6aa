package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.springframework.http.server.PathContainer;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The roles that each endpoint of both ports requires, and whether it takes a place in the queue:
 * the only place that says who may do what. Anything not listed here is refused, even if it would
 * be answered; {@code AllMappingsHaveARoleIT} finds omissions. Addresses are parsed as in Spring
 * MVC, so that both mean the same one. Immutable.
 */
public final class EndpointRoles implements AuthorizationManager<HttpServletRequest> {

  /**
   * One endpoint.
   *
   * @param method GET also stands for HEAD
   * @param anyOf the caller must have one of these
   * @param isPublic whether everyone may use it all the same
   * @param takesPlace whether a request takes a place in the queue of signers
   */
  public record Endpoint(
      String method, PathPattern path, Set<Role> anyOf, boolean isPublic, boolean takesPlace) {

    public Endpoint {
      anyOf = Set.copyOf(anyOf);
      if (anyOf.isEmpty()) {
        throw new IllegalArgumentException(path + " asks for no role");
      }
    }

    /** Returns the roles for people, such as {@code sign or read}. */
    public String rolesAsText() {
      return anyOf.stream().sorted().map(Role::label).collect(Collectors.joining(" or "));
    }

    private boolean takes(String method) {
      return this.method.equals(method) || (this.method.equals("GET") && "HEAD".equals(method));
    }
  }

  private static final AuthorizationResult GRANTED = new AuthorizationDecision(true);
  private static final Role[] EVERY_ROLE = Role.values();

  private final List<Endpoint> endpoints;

  private EndpointRoles(List<Endpoint> endpoints) {
    this.endpoints = List.copyOf(endpoints);
  }

  /** Returns all endpoints of the service, at both ports; the log is not public. */
  public static EndpointRoles ofTheService() {
    return new EndpointRoles(List.of())
        .takingPlaces("POST", "/sign", Role.SIGN)
        .with("GET", "/sign/{requestId}", Role.SIGN, Role.READ)
        .takingPlaces("POST", "/acts", Role.SIGN)
        .with("GET", "/acts/{actId}", Role.SIGN, Role.READ)
        .with("POST", "/acts/{actId}/sign", Role.SIGN)
        .with("DELETE", "/acts/{actId}", Role.SIGN)
        .with("GET", "/pool", Role.OBSERVE)
        .with("GET", "/readyz", Role.SIGN, Role.OBSERVE)
        .with("GET", "/ca/chain", EVERY_ROLE)
        .with("POST", "/ca/revocations", Role.OPERATE)
        .with("GET", "/ca/crl/{issuer}/{list}", EVERY_ROLE)
        .with("GET", "/ca/ocsp/{issuer}", EVERY_ROLE)
        .with("POST", "/ca/ocsp/{issuer}", EVERY_ROLE)
        .with("POST", "/tsa", Role.STAMP)
        .with("GET", "/tsa/chain", Role.STAMP)
        .with("GET", "/log/key", EVERY_ROLE)
        .with("GET", "/log/checkpoint", Role.SIGN, Role.READ)
        .with("GET", "/log/witnessed-checkpoint", Role.SIGN, Role.READ)
        .with("GET", "/log/tile/**", Role.SIGN, Role.READ)
        .with("GET", "/log/proof/{requestId}", Role.SIGN, Role.READ)
        // Everyone has this role there, if the service is a witness: see OpenAddresses.
        .with("GET", "/witness/key", Role.READ)
        .with("POST", "/witness/add-checkpoint", Role.READ)
        .with("GET", "/console", Role.OPERATE)
        .with("GET", "/console/events", Role.OPERATE)
        .with("GET", "/console/{name}", Role.OPERATE)
        .with("GET", "/actuator", Role.OBSERVE)
        .with("GET", "/actuator/health", Role.OBSERVE)
        .with("GET", "/actuator/health/**", Role.OBSERVE)
        .with("GET", "/actuator/metrics", Role.OBSERVE)
        .with("GET", "/actuator/metrics/{requiredMetricName}", Role.OBSERVE)
        .with("GET", "/actuator/prometheus", Role.OBSERVE)
        .with("GET", "/v3/api-docs", EVERY_ROLE)
        .with("GET", "/v3/api-docs.yaml", EVERY_ROLE)
        .with("GET", "/v3/api-docs/swagger-config", EVERY_ROLE)
        .with("GET", "/swagger-ui.html", EVERY_ROLE)
        .with("GET", "/swagger-ui/**", EVERY_ROLE);
  }

  /** Returns these endpoints and one more, for callers with one of the roles. */
  public EndpointRoles with(String method, String path, Role... anyOf) {
    return with(method, path, false, anyOf);
  }

  /** As {@link #with}; its requests take places in the queue. */
  private EndpointRoles takingPlaces(String method, String path, Role... anyOf) {
    return with(method, path, true, anyOf);
  }

  private EndpointRoles with(String method, String path, boolean takesPlace, Role... anyOf) {
    List<Endpoint> more = new ArrayList<>(endpoints);
    PathPattern pattern = PathPatternParser.defaultInstance.parse(path);
    more.add(new Endpoint(method, pattern, Set.of(anyOf), false, takesPlace));
    return new EndpointRoles(more);
  }

  /** Returns these endpoints, of which everyone may use those that read the log. */
  public EndpointRoles withPublicLog() {
    return withPublic("GET", "/log/");
  }

  /** Returns these endpoints, of which everyone may read lists of revoked certificates. */
  public EndpointRoles withPublicLists() {
    return withPublic("GET", "/ca/crl/");
  }

  /** Returns these endpoints, of which everyone may use OCSP. */
  public EndpointRoles withPublicOcsp() {
    return withPublic("GET", "/ca/ocsp/").withPublic("POST", "/ca/ocsp/");
  }

  private EndpointRoles withPublic(String method, String prefix) {
    return new EndpointRoles(
        endpoints.stream()
            .map(each ->
                each.method().equals(method) && each.path().getPatternString().startsWith(prefix)
                    ? new Endpoint(
                        each.method(), each.path(), each.anyOf(), true, each.takesPlace())
                    : each)
            .toList());
  }

  /** Whether everyone may send a request; false if no endpoint takes it. */
  boolean isPublic(HttpServletRequest request) {
    return isOne(request, Endpoint::isPublic);
  }

  /** Whether a request takes a place in the queue, however its path is spelled. */
  public boolean takesPlace(HttpServletRequest request) {
    return isOne(request, Endpoint::takesPlace);
  }

  private boolean isOne(HttpServletRequest request, Predicate<Endpoint> kind) {
    PathContainer path = ServletRequestPathUtils.parseAndCache(request).pathWithinApplication();
    return endpoints.stream()
        .filter(kind)
        .anyMatch(each -> each.takes(request.getMethod()) && each.path().matches(path));
  }

  /** Returns the paths to which requests that take a place are posted, in their usual spelling. */
  public Set<String> pathsThatTakePlaces() {
    return paths(Endpoint::takesPlace);
  }

  /** Returns the paths of a witness, in their usual spelling. */
  Set<String> pathsOfAWitness() {
    return paths(each -> each.path().getPatternString().startsWith("/witness/"));
  }

  private Set<String> paths(Predicate<Endpoint> kind) {
    return endpoints.stream()
        .filter(kind)
        .map(each -> each.path().getPatternString())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns those at a separate management port. */
  EndpointRoles ofManagement() {
    return new EndpointRoles(
        endpoints.stream()
            .filter(endpoint -> endpoint.path().getPatternString().startsWith("/actuator"))
            .toList());
  }

  /** Returns all of them in order. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /**
   * Lets a request in.
   *
   * @throws EndpointRefusedException if its caller may not access the endpoint, or if that is not
   *     listed
   */
  @Override
  public AuthorizationResult authorize(
      Supplier<? extends @Nullable Authentication> authentication, HttpServletRequest request) {
    PathContainer path = ServletRequestPathUtils.parseAndCache(request).pathWithinApplication();
    Endpoint endpoint = endpoint(request.getMethod(), path);
    Caller caller = CurrentCaller.of(request);
    if (endpoint.isPublic()) {
      return GRANTED;
    }
    for (Role role : endpoint.anyOf()) {
      if (caller.has(role)) {
        return GRANTED;
      }
    }
    throw new EndpointRefusedException(
        new Problem(
            ProblemType.ROLE_MISSING,
            "%s %s requires the role %s, which %s lacks"
                .formatted(
                    endpoint.method(), endpoint.path(), endpoint.rolesAsText(), caller.name())),
        Set.of());
  }

  private Endpoint endpoint(String method, PathContainer path) {
    Set<String> otherMethods = new TreeSet<>();
    for (Endpoint endpoint : endpoints) {
      if (endpoint.path().matches(path)) {
        if (endpoint.takes(method)) {
          return endpoint;
        }
        otherMethods.add(endpoint.method());
      }
    }
    if (otherMethods.isEmpty()) {
      throw new EndpointRefusedException(
          new Problem(ProblemType.NOT_FOUND, "see /swagger-ui.html for the available endpoints"),
          Set.of());
    }
    throw new EndpointRefusedException(
        new Problem(ProblemType.METHOD_NOT_ALLOWED, method + " is not allowed"), otherMethods);
  }
}
