package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;

final class BlobTrustTest {

  private final BlobTrust trust = new BlobTrust("hsm", System::nanoTime);

  private void discard(int times) {
    for (int i = 0; i < times; i++) {
      trust.discarded(EC);
    }
  }

  @Test
  void endsWithTheFifthDiscard() {
    discard(4);
    assertThat(trust.suspected()).isEmpty();

    discard(1);
    assertThat(trust.suspected()).contains(EC);
  }

  @Test
  void tenGoodKeysMakeUpForADiscard() {
    discard(4);
    for (int i = 0; i < 10; i++) {
      trust.good();
    }
    discard(1);
    assertThat(trust.suspected()).isEmpty();

    discard(1);
    assertThat(trust.suspected()).contains(EC);
  }

  /** One key in four: a row of bad ones would be long in coming. */
  @Test
  void aWrapThatIsWrongNowAndThenIsNoticed() {
    int keys = 0;
    while (trust.suspected().isEmpty()) {
      if (keys++ % 4 == 0) {
        trust.discarded(EC);
      } else {
        trust.good();
      }
    }
    assertThat(keys).isBetween(20, 40);
  }

  @Test
  void comesBackAfterFiveGoodTrialsInARow() {
    discard(5);
    for (int i = 0; i < 4; i++) {
      trust.trialPassed(EC);
    }
    trust.discarded(EC);
    for (int i = 0; i < 4; i++) {
      trust.trialPassed(EC);
    }
    trust.good();
    assertThat(trust.suspected())
        .as("a key that is loaded is none that was wrapped now")
        .isPresent();

    trust.trialPassed(EC);
    assertThat(trust.suspected()).isEmpty();
    discard(4);
    assertThat(trust.suspected()).as("it starts again").isEmpty();
  }

  @Test
  void eachKindHasATrialBeforeItsFirstKeyAndAfterAHundred() {
    assertThat(trust.trialIsDue(EC)).isTrue();
    trust.trialPassed(EC);
    assertThat(trust.trialIsDue(EC)).isFalse();
    assertThat(trust.trialIsDue(KeySpec.RSA_2048)).isTrue();

    trust.made(EC, 60);
    assertThat(trust.trialIsDue(EC)).isFalse();
    trust.made(EC, 60);
    assertThat(trust.trialIsDue(EC)).isTrue();
  }
}
