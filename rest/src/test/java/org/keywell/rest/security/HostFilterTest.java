package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.settings.RevocationProperties;
import org.keywell.settings.RevocationProperties.WhenUnknown;
import org.keywell.settings.SecurityProperties;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class HostFilterTest {

  private static final RevocationProperties NO_REVOCATION =
      new RevocationProperties(
          null, null, Duration.ofMinutes(1), Duration.ofSeconds(2), WhenUnknown.REFUSE);
  private static final int PUBLIC_PORT = 8480;
  private static final boolean TLS = true;
  private static final boolean PLAIN = false;

  private final List<ProblemType> refusals = new ArrayList<>();
  private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/sign");

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost", "127.0.0.1", "[::1]"})
  void loopbackNamesPassAtAnyPort(String host) throws Exception {
    addressed(host, 12_345);

    assertPasses(PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "evil.localhost",
        "localhost.",
        "127.0.0.2",
        "0.0.0.0",
        "[::ffff:127.0.0.1]",
        "192.0.2.1",
        ""
      })
  void othersAreRefused(String host) throws Exception {
    addressed(host, 8420);

    assertRefused(ProblemType.HOST_NOT_ALLOWED, PLAIN);
  }

  @Test
  void anyNamePassesWhereEveryoneMayRead() throws Exception {
    addressed("crl.example", 80);
    request.setLocalPort(PUBLIC_PORT);

    assertPasses(PLAIN);
  }

  @Test
  void configuredNamesPass() throws Exception {
    addressed("Keywell.internal", 8420);

    assertPasses(PLAIN, "keywell.INTERNAL", "host.docker.internal");
    addressed("host.docker.internal", 8421);
    assertPasses(PLAIN, "keywell.INTERNAL", "host.docker.internal");
    addressed("evil.example", 8420);
    assertRefused(ProblemType.HOST_NOT_ALLOWED, PLAIN, "keywell.internal");
  }

  @Test
  void underTlsTheCertificateSpeaksForTheNameUnlessNamesAreConfigured() throws Exception {
    addressed("service", 8421);

    assertPasses(TLS);
    assertPasses(TLS, "service");
    assertRefused(ProblemType.HOST_NOT_ALLOWED, TLS, "another");
  }

  @ParameterizedTest
  @CsvSource({
    "http, localhost, 8420, http://localhost:8420",
    "http, localhost, 8420, HTTP://LOCALHOST:8420",
    "http, 127.0.0.1, 80, http://127.0.0.1",
    "http, [::1], 8420, http://[::1]:8420",
    "https, service, 443, https://service",
    "https, service, 8420, https://service:8420"
  })
  void theServicesOwnPagesMayAsk(String scheme, String host, int port, String origin)
      throws Exception {
    addressed(host, port);
    request.setScheme(scheme);
    request.addHeader("Origin", origin);
    request.addHeader("Sec-Fetch-Site", "same-origin");

    assertPasses("https".equals(scheme));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "",
        "http://evil.example",
        "http://localhost",
        "http://localhost:8421",
        "https://localhost:8420",
        "http://127.0.0.1:8420",
        "http://localhost:8420.evil.example",
        "http://localhost:8420/"
      })
  void anotherOriginIsRefused(String origin) throws Exception {
    addressed("localhost", 8420);
    request.addHeader("Origin", origin);

    assertRefused(ProblemType.FOREIGN_ORIGIN, PLAIN);
    assertRefused(ProblemType.FOREIGN_ORIGIN, TLS);
  }

  @Test
  void anotherSitesRequestIsRefusedThoughItNamesNoOrigin() throws Exception {
    addressed("localhost", 8420);
    request.addHeader("Sec-Fetch-Site", "cross-site");

    assertRefused(ProblemType.FOREIGN_ORIGIN, PLAIN);
    assertRefused(ProblemType.FOREIGN_ORIGIN, TLS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "same-origin", "same-site"})
  void whatTheUserOpensPasses(String site) throws Exception {
    addressed("localhost", 8420);
    request.addHeader("Sec-Fetch-Site", site);

    assertPasses(PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://a.example", "a.example:8420", "*", "", " ", "::1", "a/b", "a,b", "a b"})
  void whatIsNoHostStopsTheStart(String host) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SecurityProperties(List.of(host), null, null, NO_REVOCATION))
        .withMessageContaining("keywell.security.hosts");
  }

  private void addressed(String host, int port) {
    request.setServerName(host);
    request.setServerPort(port);
  }

  private void assertPasses(boolean tls, String... hosts) throws Exception {
    assertThat(filter(tls, hosts).getRequest()).as("passed; refusals: " + refusals).isNotNull();
  }

  private void assertRefused(ProblemType type, boolean tls, String... hosts) throws Exception {
    refusals.clear();
    assertThat(filter(tls, hosts).getRequest()).isNull();
    assertThat(refusals).containsExactly(type);
  }

  private MockFilterChain filter(boolean tls, String... hosts) throws Exception {
    MockFilterChain chain = new MockFilterChain();
    new HostFilter(
            new SecurityProperties(List.of(hosts), null, null, NO_REVOCATION),
            tls,
            PUBLIC_PORT,
            new ProblemWriter(refusals::add))
        .doFilter(request, new MockHttpServletResponse(), chain);
    request.clearAttributes();
    return chain;
  }
}
