package org.keywell.signing.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerPlaces.Taking;

@Timeout(20)
final class CallerPlacesTest {

  private static final Caller HALF = Limited.share("half", 50);
  private static final Caller QUARTER = Limited.share("quarter", 25);
  private static final Caller LITTLE = Limited.share("little", 1);

  private final CallerPlaces places = new CallerPlaces(8);

  private void take(Caller caller, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(places.take(caller)).isEqualTo(Taking.TAKEN);
    }
  }

  @Test
  void aCallerHasItsShareAtTheMost() {
    take(HALF, 4);

    assertThat(places.take(HALF)).isEqualTo(Taking.SHARE_FULL);
    assertThat(places.isShareFull(HALF)).isTrue();
    assertThat(places.isShareFull(QUARTER)).isFalse();
    take(QUARTER, 2);
    assertThat(places.take(QUARTER)).isEqualTo(Taking.SHARE_FULL);
    assertThat(places.taken()).isEqualTo(6);
    places.free(HALF);
    take(HALF, 1);
  }

  @Test
  void aCallerHasOnePlaceAtLeast() {
    take(LITTLE, 1);

    assertThat(places.take(LITTLE)).isEqualTo(Taking.SHARE_FULL);
  }

  @Test
  void withinAHundredPercentNobodyIsKeptOutByOthers() {
    take(HALF, 4);
    take(QUARTER, 2);
    Caller another = Limited.share("another", 25);

    take(another, 2);
    assertThat(places.take(LITTLE)).as("beyond a hundred").isEqualTo(Taking.FULL);
  }

  @Test
  void allOfThemMayBeOneCallers() {
    Caller alone = Caller.onLoopback();
    take(alone, 8);

    assertThat(places.take(alone)).isEqualTo(Taking.FULL);
  }

  @Test
  void aNewShareCountsAtOnce() {
    take(QUARTER, 2);

    take(Limited.share("quarter", 50), 2);
    assertThat(places.take(QUARTER)).isEqualTo(Taking.SHARE_FULL);
  }

  @Test
  void whatWasNotTakenCannotBeFreed() {
    take(HALF, 1);
    places.free(HALF);

    assertThatIllegalStateException().isThrownBy(() -> places.free(HALF));
    assertThat(places.taken()).isZero();
  }

  @Test
  void tellsWhenNoneIsTaken() throws Exception {
    assertThat(places.awaitNone(Duration.ZERO)).isTrue();
    take(HALF, 1);
    take(QUARTER, 1);
    assertThat(places.awaitNone(Duration.ZERO)).isFalse();
    CompletableFuture<Boolean> none = CompletableFuture.supplyAsync(this::awaitNone);

    places.free(HALF);
    places.free(QUARTER);

    assertThat(none.get()).isTrue();
  }

  private boolean awaitNone() {
    try {
      return places.awaitNone(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
