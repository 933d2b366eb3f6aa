package org.keywell.loadgen.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

final class BacklogTest {

  @Test
  void isWhatWasAcceptedAndIsNotAnswered() {
    Backlog backlog =
        new Backlog(
            List.of(
                Answered.signed(1, 0, 15, 1),
                Answered.signed(2, 10, 25, 1),
                Answered.refused(3, 20, 21),
                Answered.abandoned(4, 30),
                Answered.unsent(5, 40)));

    assertThat(backlog.at(0)).isEqualTo(1);
    assertThat(backlog.at(10)).isEqualTo(2);
    assertThat(backlog.at(14)).isEqualTo(2);
    assertThat(backlog.at(15)).isEqualTo(1);
    assertThat(backlog.at(24)).isEqualTo(1);
    assertThat(backlog.at(25)).isZero();
    assertThat(backlog.at(30)).isEqualTo(1);
    assertThat(backlog.at(1_000)).isEqualTo(1);
    assertThat(backlog.lastSentNanos()).isEqualTo(30);
  }

  @Test
  void isTheSameAsCountedOneByOne() {
    Random random = new Random(20_260_104);
    for (int i = 0; i < 50; i++) {
      List<Sample> samples = new ArrayList<>();
      for (int request = 1; request <= random.nextInt(1, 80); request++) {
        long sent = random.nextLong(100);
        long answered = sent + random.nextLong(100);
        samples.add(
            switch (random.nextInt(4)) {
              case 0 -> Answered.refused(request, sent, answered);
              case 1 -> Answered.abandoned(request, sent);
              case 2 -> Answered.unsent(request, sent);
              default -> Answered.signed(request, sent, answered, 1);
            });
      }
      Backlog backlog = new Backlog(samples);
      for (long at = -1; at <= 201; at++) {
        assertThat(backlog.at(at)).isEqualTo(counted(samples, at));
      }
    }
  }

  private static int counted(List<Sample> samples, long at) {
    int open = 0;
    for (Sample sample : samples) {
      boolean accepted =
          sample.sentNanos() != Sample.NEVER && sample.outcome().kind() != Outcome.Kind.REFUSED;
      boolean answered = sample.answeredNanos() != Sample.NEVER && sample.answeredNanos() <= at;
      open += accepted && sample.sentNanos() <= at && !answered ? 1 : 0;
    }
    return open;
  }
}
