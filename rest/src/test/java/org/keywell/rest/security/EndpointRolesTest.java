package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.rest.Callers;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.caller.Role;
import org.springframework.mock.web.MockHttpServletRequest;

final class EndpointRolesTest {

  private static final Path PAGE = Path.of("../docs/API.md");
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z]+ /[^`]*)` \\| (.*) \\|");
  private static final Pattern ROLE = Pattern.compile("`([a-z]+)`");

  private final EndpointRoles roles = EndpointRoles.ofTheService();

  @Test
  void docsListTheSameEndpointsAndRoles() throws Exception {
    List<String> page =
        ROW.matcher(Files.readString(PAGE))
            .results()
            .map(row -> row.group(1) + " " + roles(row.group(2)))
            .toList();

    assertThat(page)
        .containsExactlyElementsOf(
            roles.endpoints().stream()
                .map(endpoint ->
                    endpoint.method() + " " + endpoint.path() + " " + labels(endpoint.anyOf()))
                .toList());
  }

  @Test
  void onlyReadingTheLogAndListsAndOcspCanBePublic() {
    EndpointRoles roles = this.roles.withPublicLog().withPublicLists().withPublicOcsp();

    assertThat(roles.endpoints())
        .filteredOn(EndpointRoles.Endpoint::isPublic)
        .extracting(endpoint -> endpoint.method() + " " + endpoint.path())
        .containsExactly(
            "GET /ca/crl/{issuer}/{list}",
            "GET /ca/ocsp/{issuer}",
            "POST /ca/ocsp/{issuer}",
            "GET /log/key",
            "GET /log/checkpoint",
            "GET /log/witnessed-checkpoint",
            "GET /log/tile/**",
            "GET /log/proof/{requestId}");
    assertThat(this.roles.endpoints()).noneMatch(EndpointRoles.Endpoint::isPublic);
    assertThat(
            roles.authorize(() -> null, request("GET", "/log/checkpoint", "observe")).isGranted())
        .isTrue();
  }

  private static Set<String> roles(String cell) {
    return cell.equals("any")
        ? labels(Set.of(Role.values()))
        : ROLE.matcher(cell).results().map(role -> role.group(1)).collect(Collectors.toSet());
  }

  private static Set<String> labels(Set<Role> roles) {
    return roles.stream().map(Role::label).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /sign, sign",
    "GET, /sign/4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e, sign",
    "GET, /sign/4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e, read",
    "HEAD, /pool, observe",
    "GET, /readyz, sign",
    "GET, /readyz, observe",
    "GET, /actuator/health/readiness, observe",
    "GET, /console/console.js, operate",
    "GET, /swagger-ui/index.html, read",
  })
  void lets(String method, String path, String role) {
    assertThat(roles.authorize(() -> null, request(method, path, role)).isGranted()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /sign, read, ROLE_MISSING",
    "GET, /sign/4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e, operate, ROLE_MISSING",
    "GET, /pool, sign, ROLE_MISSING",
    "GET, /readyz, read, ROLE_MISSING",
    "GET, /console, observe, ROLE_MISSING",
    "GET, /sign, sign, METHOD_NOT_ALLOWED",
    "OPTIONS, /sign, sign, METHOD_NOT_ALLOWED",
    "HEAD, /sign, sign, METHOD_NOT_ALLOWED",
    "post, /sign, sign, METHOD_NOT_ALLOWED",
    "DELETE, /actuator/metrics, observe, METHOD_NOT_ALLOWED",
    "POST, /sign/, sign, NOT_FOUND",
    "POST, /SIGN, sign, NOT_FOUND",
    "GET, /sign/a/b, sign, NOT_FOUND",
    "GET, /actuator/env, observe, NOT_FOUND",
    "GET, /actuator/heapdump, observe, NOT_FOUND",
    "POST, /actuator/loggers/root, observe, NOT_FOUND",
    "GET, /error, observe, NOT_FOUND",
    "GET, /, observe, NOT_FOUND",
    "GET, /webjars/chart.js, operate, NOT_FOUND",
  })
  void refuses(String method, String path, String role, ProblemType problem) {
    assertThatExceptionOfType(EndpointRefusedException.class)
        .isThrownBy(() -> roles.authorize(() -> null, request(method, path, role)))
        .satisfies(refused -> assertThat(refused.problem().type()).isEqualTo(problem))
        .satisfies(refused ->
            assertThat(refused.allowedMethods().isEmpty())
                .isEqualTo(problem != ProblemType.METHOD_NOT_ALLOWED));
  }

  @Test
  void aManagementPortOfItsOwnHasHealthAndMetricsOnly() {
    assertThat(roles.ofManagement().endpoints())
        .isNotEmpty()
        .allSatisfy(endpoint -> assertThat(endpoint.anyOf()).containsExactly(Role.OBSERVE));
  }

  /** Nobody is let in by default: not by a chain that forgot to ask who calls. */
  @Test
  void aRequestOfNobodyIsADefect() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () -> roles.authorize(() -> null, new MockHttpServletRequest("GET", "/ca/chain")));
  }

  private static MockHttpServletRequest request(String method, String path, String role) {
    MockHttpServletRequest request = new MockHttpServletRequest(method, path);
    CurrentCaller.set(request, Callers.of("portal", Role.valueOf(role.toUpperCase(Locale.ROOT))));
    return request;
  }
}
