package org.keywell.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;

final class ProblemTypeTest {

  /** Callers and records depend on these: to be extended, never to be changed. */
  private static final String[] PUBLISHED = {
    "malformed-json",
    "unknown-field",
    "missing-field",
    "bad-request-id",
    "bad-digest",
    "unknown-digest-algorithm",
    "unknown-signature-algorithm",
    "unknown-key-spec",
    "algorithm-mismatch",
    "bad-signer",
    "bad-deadline",
    "bad-test-id",
    "body-too-large",
    "unsupported-media-type",
    "bad-http-request",
    "not-found",
    "method-not-allowed",
    "request-unknown",
    "request-id-reused",
    "request-in-progress",
    "queue-full",
    "wait-too-long",
    "deadline",
    "pool-empty",
    "orphan-limit",
    "hsm-unavailable",
    "ca-unavailable",
    "record-unavailable",
    "console-full",
    "shutting-down",
    "key-refused",
    "key-reused",
    "act-revoked",
    "interrupted",
    "internal"
  };

  @Test
  void theListIsStable() {
    assertThat(Stream.of(ProblemType.values()).map(ProblemType::label)).contains(PUBLISHED);
  }

  @Test
  void titlesAreUnique() {
    assertThat(Stream.of(ProblemType.values()).map(ProblemType::title)).doesNotHaveDuplicates();
    assertThat(Stream.of(ProblemType.values()).map(ProblemType::uri)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void theLabelNamesTheType(ProblemType type) {
    assertThat(type.uri()).hasToString("urn:keywell:problem:" + type.label());
    assertThat(type.status().isError()).isTrue();
  }

  /** A repeated request is told the same, whether its end is read or was just written. */
  @ParameterizedTest
  @EnumSource
  void aFailureIsToldByTheNameThatItHasOnRecord(FailureReason reason) {
    assertThat(ProblemType.of(reason).label()).isEqualTo(reason.label());
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalOfTheCoreIsToldByItsName(Refusal.Reason reason) {
    assertThat(ProblemType.of(reason).label()).isEqualTo(reason.label());
  }
}
