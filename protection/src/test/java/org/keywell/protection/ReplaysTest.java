package org.keywell.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.keywell.protection.ProtectionException.Fault;

/** A message is accepted once, and only around its date. */
final class ReplaysTest {

  private static final Instant START = Instant.parse("2026-11-27T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;
  private final Replays replays =
      new Replays(Duration.ofMinutes(10), Duration.ofMinutes(1), 2, 3, clock);

  private static Header at(String id, Instant date) {
    return new Header(id, date, "queue", null, null);
  }

  private @Nullable Fault accept(String sender, Header header) {
    ProtectionException refusal =
        catchThrowableOfType(ProtectionException.class, () -> replays.accept(sender, header));
    return refusal == null ? null : refusal.fault();
  }

  @Test
  void onceForEachSender() {
    assertThat(accept("tax", at("1", START))).isNull();
    assertThat(accept("tax", at("1", START))).isEqualTo(Fault.SEEN_ALREADY);
    assertThat(accept("tax", at("1", START.plusSeconds(5)))).isEqualTo(Fault.SEEN_ALREADY);
    assertThat(accept("tax", at("2", START))).isNull();
    assertThat(accept("customs", at("1", START))).isNull();
  }

  @Test
  void aroundItsDate() {
    assertThat(accept("tax", at("1", START.minusSeconds(600)))).isNull();
    assertThat(accept("tax", at("2", START.minusSeconds(601)))).isEqualTo(Fault.TOO_OLD);
    assertThat(accept("tax", at("3", START.plusSeconds(60)))).isNull();
    assertThat(accept("tax", at("4", START.plusSeconds(61)))).isEqualTo(Fault.TOO_FAR_AHEAD);
  }

  @Test
  void rememberedForAsLongAsItsDateIsAccepted() {
    Header ahead = at("1", START.plusSeconds(60));
    assertThat(accept("tax", ahead)).isNull();
    now.set(START.plusSeconds(660));
    fill("tax", 2);
    assertThat(accept("tax", ahead)).isEqualTo(Fault.SEEN_ALREADY);
    now.set(START.plusSeconds(661));
    assertThat(accept("tax", ahead)).isEqualTo(Fault.TOO_OLD);
    assertThat(accept("tax", at("new", now.get()))).isNull();
  }

  @Test
  void fullForOneSenderIsNotFullForAnother() {
    fill("tax", 3);
    assertThat(accept("tax", at("x", START))).isEqualTo(Fault.REPLAY_WINDOW_FULL);
    assertThat(accept("customs", at("x", START))).isNull();
    assertThat(accept("third", at("x", START))).isEqualTo(Fault.REPLAY_WINDOW_FULL);
    now.set(START.plusSeconds(601));
    assertThat(accept("third", at("x", now.get()))).isNull();
    assertThat(accept("tax", at("x", now.get()))).isNull();
  }

  @Test
  void whatIsDeliveredAgainAfterARollbackIsForgotten() {
    Header header = at("1", START);
    assertThat(accept("tax", header)).isNull();
    replays.forget("tax", header);
    replays.forget("nobody", header);
    assertThat(accept("tax", header)).isNull();
  }

  private void fill(String sender, int count) {
    for (int n = 0; n < count; n++) {
      assertThat(accept(sender, at("fill" + n, now.get()))).isNull();
    }
  }
}
