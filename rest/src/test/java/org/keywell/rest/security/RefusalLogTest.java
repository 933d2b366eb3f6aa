package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProvenIdentity;
import org.keywell.rest.problem.ProblemType;

final class RefusalLogTest {

  private final AtomicLong nanos = new AtomicLong(1);
  private final List<String> lines = new ArrayList<>();
  private final RefusalLog refusals = new RefusalLog(nanos::get, lines::add);

  @Test
  void namesCallerRequestProviderAndProofButNotTheSigner() {
    UUID id = UUID.randomUUID();
    ProvenIdentity identity =
        new ProvenIdentity(
            "https://idp.example",
            Instant.EPOCH,
            "loa3",
            "ticket-17",
            new byte[] {(byte) 0xAB, 1},
            Instant.EPOCH,
            List.of(
                new ProvenIdentity.Attested(
                    "name", SubjectAttribute.COMMON_NAME, "Astrid", "Astrid")));

    refusals.refused(
        new RefusedRequest(ProblemType.PROOF_REPLAYED, "tax-portal", id, identity, false));

    assertThat(lines)
        .containsExactly(
            "refused proof-replayed: caller tax-portal, request "
                + id
                + ", identity provider https://idp.example, proof ab01");
  }

  @Test
  void ofOneCallerTwentyLinesAtOnceThenOneASecondWithWhatWasLeftOut() {
    refuse("flood", 1_000);
    assertThat(lines).hasSize(RefusalLog.AT_ONCE);

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    refuse("flood", 5);

    assertThat(lines).hasSize(RefusalLog.AT_ONCE + 1);
    assertThat(lines.getLast()).endsWith("; 980 of this caller's before it are left out");
  }

  @Test
  void aFloodOfOneCallerLeavesTheLinesOfOthers() {
    refuse("flood", 1_000);
    refuse("quiet", 1);

    assertThat(lines.getLast()).isEqualTo("refused queue-full: caller quiet");
  }

  @Test
  void whatIsOnRecordHasALineOfItsOwn() {
    refusals.refused(new RefusedRequest(ProblemType.POOL_EMPTY, "portal", null, null, true));

    assertThat(lines).isEmpty();
  }

  private void refuse(String caller, int times) {
    for (int i = 0; i < times; i++) {
      refusals.refused(new RefusedRequest(ProblemType.QUEUE_FULL, caller, null, null, false));
    }
  }
}
