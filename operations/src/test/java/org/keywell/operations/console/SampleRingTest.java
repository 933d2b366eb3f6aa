package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

final class SampleRingTest {

  private static Sample at(long epochMillis) {
    return new Sample(epochMillis, 0, 0, 0, null, List.of());
  }

  @RepeatedTest(20)
  void holdsTheLatestInTheirOrder(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int capacity = 1 + random.nextInt(10);
    SampleRing ring = new SampleRing(capacity);
    List<Sample> added = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      Sample sample = at(random.nextLong());
      ring.add(sample);
      added.add(sample);
      assertThat(ring.all())
          .isEqualTo(added.subList(Math.max(0, added.size() - capacity), added.size()));
    }
  }
}
