package org.keywell.rest.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;

final class PublicationDoorTest {

  private static final String LISTS = "/ca/crl/" + "0a".repeat(20) + "/";

  private final PublicationDoor door = new PublicationDoor(true, 50);

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-27.crl", "services.crl", "authorities.crl"})
  void listsCanBeRead(String name) {
    assertThat(door.refusal("GET", LISTS + name)).isNull();
    assertThat(door.refusal("HEAD", LISTS + name)).isNull();
  }

  @Test
  void requestsAreLetInWhereTheyAreAnswered() {
    String responder = "/ca/ocsp/" + "0a".repeat(20);
    assertThat(door.refusal("POST", responder)).isNull();
    assertThat(door.refusal("GET", responder + "/MEUw/Qz+B=")).isNull();
    assertThat(door.refusal("GET", responder + "/MEUw%2FQz%2BB%3D")).isNull();
    assertThat(door.refusal("GET", responder))
        .extracting(Problem::type)
        .isEqualTo(ProblemType.METHOD_NOT_ALLOWED);
    assertThat(door.refusal("POST", responder + "/MEUw"))
        .extracting(Problem::type)
        .isEqualTo(ProblemType.METHOD_NOT_ALLOWED);
    for (String path : List.of(responder, responder + "/MEUw")) {
      assertThat(new PublicationDoor(false, 50).refusal("POST", path))
          .extracting(Problem::type)
          .isEqualTo(ProblemType.NOT_FOUND);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ca/ocsp/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/../../crl",
        "/ca/ocsp/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a;a=b",
        "/",
        "/sign",
        "/ca/chain",
        "/ca/revocations",
        "/ca/crl/0a/services.crl",
        "/ca/crl/../../sign",
        "//ca/crl/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/services.crl",
        "/ca/crl/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/services.crl/",
        "/ca/crl/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/services.crl;a=b",
        "/ca/crl/0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A/services.crl",
        "/ca/crl/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/%2e%2e/services.crl",
        "http://127.0.0.1/sign"
      })
  void nothingElseIsThere(String path) {
    assertThat(door.refusal("GET", path))
        .extracting(Problem::type)
        .isEqualTo(ProblemType.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "get"})
  void listsCannotBeChanged(String method) {
    assertThat(door.refusal(method, LISTS + "services.crl"))
        .extracting(Problem::type)
        .isEqualTo(ProblemType.METHOD_NOT_ALLOWED);
  }

  @Test
  void moreThanTheRateAreTurnedAway() {
    PublicationDoor slow = new PublicationDoor(true, 1);
    assertThat(
            IntStream.range(0, 1_000)
                .mapToObj(_ -> slow.refusal("GET", LISTS + "services.crl"))
                .filter(problem -> problem != null)
                .map(Problem::type))
        .hasSizeGreaterThan(500)
        .containsOnly(ProblemType.RATE_LIMIT);
  }
}
