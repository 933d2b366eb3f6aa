package org.keywell.identity;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ProofVerifiersTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final ProvenIdentity PROVEN =
      new ProvenIdentity(
          "https://idp", Instant.EPOCH, "loa3", "1", new byte[32], Instant.EPOCH, List.of());

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final ProofVerifiers verifiers =
      new ProofVerifiers(Map.of(ProofType.JWT, (ticket, _) -> verify(ticket)), 10, 1);

  @Test
  void soManyAreCheckedAtTheSameTimeAndOthersWaitOrGo() throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ProvenIdentity> first = callers.submit(() -> check("slow", PATIENT));
      assertThat(begun.await(20, SECONDS)).isTrue();

      ProofRefusedException busy = refusal("good");
      assertThat(busy.reason()).isEqualTo(ProofRefusal.BUSY);
      assertThat(busy.detail()).contains("keywell.identity.max-checks");
      Future<ProvenIdentity> second = callers.submit(() -> check("good", PATIENT));
      go.countDown();
      assertThat(first.get(20, SECONDS)).isSameAs(PROVEN);
      assertThat(second.get(20, SECONDS)).isSameAs(PROVEN);
    }
  }

  @Test
  void aRefusalTakesNoPlace() {
    for (int i = 0; i < 3; i++) {
      assertThat(refusal("bad").reason()).isEqualTo(ProofRefusal.UNTRUSTED);
      assertThat(refusal("larger than ten").reason()).isEqualTo(ProofRefusal.MALFORMED);
    }
    assertThat(check("good", AT_ONCE)).isSameAs(PROVEN);
  }

  /** By {@code printf 'jwt\nhttps://idp\n1' | sha256sum}: what an auditor computes. */
  @Test
  void aTicketIsOnRecordByAHash() {
    assertThat(TicketReference.sha256(ProofType.JWT, "https://idp", "1"))
        .isEqualTo(
            HexFormat.of()
                .parseHex("ceec3c0e8cfaf8f112c238dc7aee76c8410984fec4dc0fdaaa98cb7ab76cc2d1"));
  }

  private ProvenIdentity verify(String ticket) {
    switch (ticket) {
      case "bad" -> throw new ProofRefusedException(ProofRefusal.UNTRUSTED, "because");
      case "slow" -> {
        begun.countDown();
        try {
          assertThat(go.await(20, SECONDS)).isTrue();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      default -> {}
    }
    return PROVEN;
  }

  private ProvenIdentity check(String ticket, Duration patience) {
    ProofContext context =
        new ProofContext(Instant.EPOCH, UUID.randomUUID(), "SHA-256", List.of(new byte[32]));
    return verifiers.verify(ProofType.JWT, ticket, context, patience);
  }

  private ProofRefusedException refusal(String ticket) {
    return catchThrowableOfType(ProofRefusedException.class, () -> check(ticket, AT_ONCE));
  }
}
