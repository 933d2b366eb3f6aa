package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class RecentRequestsTest {

  private static final StageTimes STAGES = new StageTimes(0, 0, 0, 0, 0, 0, 0, 0);

  private static RecentRequest numbered(long number) {
    return new RecentRequest(number, new UUID(0, number), 0, "signed", true, 0, STAGES);
  }

  private static List<Long> numbers(RecentRequests requests) {
    return requests.newestFirst().stream().map(RecentRequest::number).toList();
  }

  @RepeatedTest(20)
  void listsTheLatestFromTheNewestOn(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int capacity = 1 + random.nextInt(8);
    int count = random.nextInt(30);
    RecentRequests requests = new RecentRequests(capacity);
    LongStream.range(0, count).forEach(number -> requests.add(numbered(number)));

    assertThat(numbers(requests))
        .isEqualTo(
            LongStream.iterate(count - 1, number -> number - 1)
                .limit(Math.min(capacity, count))
                .boxed()
                .toList());
  }

  @Test
  void oneThatComesLateDoesNotReplaceALaterOne() {
    RecentRequests requests = new RecentRequests(2);
    requests.add(numbered(3));
    requests.add(numbered(1));

    assertThat(numbers(requests)).containsExactly(3L);
  }

  @Test
  void whileThreadsAddEachListIsInOrderAndWithoutRepetition() throws InterruptedException {
    RecentRequests requests = new RecentRequests(16);
    AtomicLong next = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> threads =
        IntStream.range(0, 3)
            .mapToObj(i ->
                Thread.ofPlatform()
                    .start(() -> {
                      while (!stop.get()) {
                        requests.add(numbered(next.getAndIncrement()));
                      }
                    }))
            .toList();
    try {
      for (int i = 0; i < 2_000; i++) {
        List<Long> seen = numbers(requests);
        assertThat(seen).hasSizeLessThanOrEqualTo(16).doesNotHaveDuplicates();
        assertThat(seen).isSortedAccordingTo((a, b) -> Long.compare(b, a));
      }
    } finally {
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    long last = next.get() - 1;
    assertThat(numbers(requests))
        .isEqualTo(LongStream.rangeClosed(0, 15).mapToObj(i -> last - i).toList());
  }
}
