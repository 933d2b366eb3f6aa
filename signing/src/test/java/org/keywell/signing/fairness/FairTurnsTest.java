package org.keywell.signing.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class FairTurnsTest {

  private record Element(int caller, long number) {}

  private final FairTurns<Integer, Element> turns = new FairTurns<>();
  private long number;

  private Element add(int caller, int weight) {
    Element element = new Element(caller, number++);
    weights.put(caller, weight);
    turns.add("caller-" + caller, 0, element);
    return element;
  }

  /** What each element takes where a test does not say. */
  private static final long NANOS = 1_000_000;

  private final Map<Integer, Integer> weights = new HashMap<>();

  private @Nullable Element poll() {
    return poll(element -> element);
  }

  private @Nullable Element poll(Function<Element, @Nullable Element> offer) {
    Element taken = turns.poll(offer);
    if (taken != null) {
      charge(taken.caller(), NANOS);
    }
    return taken;
  }

  private void charge(int caller, long nanos) {
    turns.charge("caller-" + caller, Objects.requireNonNull(weights.get(caller)), nanos);
  }

  private Element add(int caller, int weight, int kind) {
    Element element = new Element(caller, number++);
    weights.put(caller, weight);
    turns.add("caller-" + caller, kind, element);
    return element;
  }

  private List<Integer> served(int count) {
    List<Integer> callers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      callers.add(Objects.requireNonNull(poll()).caller());
    }
    return callers;
  }

  @Test
  void oneCallerIsServedFirstInFirstOut() {
    List<Element> added = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      added.add(add(0, 1 + i % 7));
    }

    for (Element element : added) {
      assertThat(poll()).isEqualTo(element);
    }
    assertThat(poll()).isNull();
  }

  @Test
  void whoComesAnewGoesBeforeTheBacklogOfOthers() {
    for (int i = 0; i < 100; i++) {
      add(0, 50);
    }
    served(10);

    add(1, 50);
    assertThat(served(2)).containsExactly(1, 0);
    assertThat(turns.size()).isEqualTo(89);
  }

  @Test
  void whoWaitsIsServedByWeight() {
    for (int i = 0; i < 40; i++) {
      add(0, 30);
      add(1, 10);
    }

    assertThat(served(40).stream().filter(caller -> caller == 0)).hasSize(30);
  }

  @Test
  void whoWasServedJustNowHasNoTurnBeforeOneWhoWasNot() {
    add(0, 50);
    add(1, 50);
    assertThat(served(1)).containsExactly(0);

    add(0, 50);

    assertThat(served(2)).as("the one that has not had a turn").containsExactly(1, 0);
  }

  @Test
  void anElementTakenOutOfTurnCostsNone() {
    Element first = add(0, 50);
    add(0, 50);
    add(1, 50);

    assertThat(turns.remove(element -> element.equals(first))).isEqualTo(first);
    assertThat(turns.remove(element -> element.equals(first))).isNull();
    assertThat(turns.size()).isEqualTo(2);
    assertThat(served(2)).containsExactly(0, 1);
  }

  @Test
  void whatIsNotTakenHoldsUpItsOwnLineOnly() {
    Element keyless = add(0, 50, 1);
    Element behindIt = add(0, 50, 1);
    Element own = add(0, 50, 0);
    Element others = add(1, 50, 0);
    List<Element> offered = new ArrayList<>();

    Element first =
        poll(element -> {
          offered.add(element);
          return element.equals(keyless) ? null : element;
        });
    Element second = poll(element -> element.equals(keyless) ? null : element);

    assertThat(offered).containsExactly(keyless, own);
    assertThat(first).isEqualTo(own);
    assertThat(second).isEqualTo(others);
    @Nullable Element none = poll(_ -> null);
    assertThat(none).isNull();
    assertThat(turns.size()).isEqualTo(2);
    assertThat(poll()).isEqualTo(keyless);
    assertThat(poll()).isEqualTo(behindIt);
  }

  /** It could not have been served meanwhile, and does not make up for that. */
  @Test
  void whoWasPassedOverGoesNextOnceAndThenInTurn() {
    for (int i = 0; i < 10; i++) {
      add(0, 50, 1);
      add(1, 50, 0);
      add(1, 50, 0);
    }
    for (int i = 0; i < 10; i++) {
      Element taken = poll(element -> element.caller() == 0 ? null : element);
      assertThat(taken).isNotNull();
    }

    assertThat(served(5)).containsExactly(0, 1, 0, 1, 0);
  }

  /** Two of the same weight: one's elements take ten times as long. */
  @Test
  void whoWaitsGetsTimeByWeightHoweverLongItsElementsTake() {
    long[] nanos = new long[2];
    for (int i = 0; i < 200; i++) {
      add(0, 50);
      add(1, 50);
    }
    for (int i = 0; i < 110; i++) {
      int caller = Objects.requireNonNull(turns.poll(element -> element)).caller();
      // Charged by a guess at first, and by what it took afterwards.
      charge(caller, NANOS);
      long took = caller == 0 ? 10 * NANOS : NANOS;
      charge(caller, took - NANOS);
      nanos[caller] += took;
    }

    assertThat((double) nanos[0] / nanos[1]).isBetween(0.9, 1.1);
  }

  /** It asks again only when it has its answer, so nothing of it waits when it is charged. */
  @Test
  void whoIsChargedAfterwardsPaysForItNextTime() {
    add(0, 50);
    add(1, 50);
    Element _ = Objects.requireNonNull(turns.poll(element -> element));
    charge(0, 10 * NANOS);
    add(0, 50);
    for (int i = 0; i < 5; i++) {
      add(1, 50);
    }

    assertThat(served(7)).as("five milliseconds of one, and a sixth").endsWith(0);
  }

  @Test
  void callersThatDoNotWaitAreForgotten() {
    for (int caller = 0; caller < 1_000; caller++) {
      add(caller, 50);
    }
    served(1_000);
    assertThat(turns.callers()).as("virtual time has not passed them").isLessThanOrEqualTo(1_000);

    assertThat(poll()).as("nobody waits").isNull();
    assertThat(turns.callers()).isZero();

    // Two that wait all the time, while others come and go.
    add(0, 50);
    add(1, 50);
    for (int i = 2; i < 1_000; i++) {
      add(i, 50);
      add(0, 50);
      add(1, 50);
      served(3);
      assertThat(turns.callers()).isLessThanOrEqualTo(5);
    }
  }

  /** Against a model: each caller's own queue. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLostOrServedTwiceAndCallersKeepTheirOrder(long seed) {
    Random random = new Random(seed);
    int callers = 1 + random.nextInt(12);
    int[] weights = random.ints(callers, 1, 101).toArray();
    List<Deque<Element>> model = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      model.add(new ArrayDeque<>());
    }
    int waiting = 0;
    for (int step = 0; step < 20_000; step++) {
      int caller = random.nextInt(callers);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          for (int i = random.nextInt(4); i >= 0; i--) {
            model.get(caller).add(add(caller, weights[caller]));
            waiting++;
          }
        }
        case 3 -> {
          Element element = turns.remove(any -> any.caller() == caller && any.number() % 5 == 0);
          if (element != null) {
            assertThat(model.get(caller).remove(element)).isTrue();
            waiting--;
          }
        }
        default -> {
          Element element = poll();
          assertThat(element == null).isEqualTo(waiting == 0);
          if (element != null) {
            assertThat(model.get(element.caller()).poll()).isEqualTo(element);
            waiting--;
          }
        }
      }
      assertThat(turns.size()).isEqualTo(waiting);
      assertThat(turns.callers()).isLessThanOrEqualTo(callers);
    }
    for (Element last = poll(); last != null; last = poll()) {
      assertThat(model.get(last.caller()).poll()).isEqualTo(last);
    }
    assertThat(model).allMatch(Deque::isEmpty);
  }

  /**
   * Of those who always have something waiting each is served in proportion to its weight, whoever
   * else comes and goes, and none waits longer for its next turn than the algorithm promises: each
   * other caller is served in between at most by the proportion of the weights, and once more.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whoAlwaysWaitsHasItsShareAndWaitsNoLongerThanPromised(long seed) {
    Random random = new Random(seed);
    int callers = 2 + random.nextInt(9);
    int[] weights = random.ints(callers, 1, 101).toArray();
    boolean[] always = new boolean[callers];
    for (int i = 0; i < callers; i++) {
      always[i] = i < 2 || random.nextBoolean();
    }
    int[] waiting = new int[callers];
    long[] served = new long[callers];
    long[] bound = new long[callers];
    for (int i = 0; i < callers; i++) {
      for (int other = 0; other < callers; other++) {
        bound[i] += other == i ? 0 : (long) Math.ceil((double) weights[other] / weights[i]) + 1;
      }
    }
    long[] since = new long[callers];
    for (int step = 0; step < 50_000; step++) {
      for (int caller = 0; caller < callers; caller++) {
        while (always[caller] && waiting[caller] < 2) {
          add(caller, weights[caller]);
          waiting[caller]++;
        }
        if (!always[caller] && random.nextInt(callers) == 0) {
          add(caller, weights[caller]);
          waiting[caller]++;
        }
      }
      int turn = Objects.requireNonNull(poll()).caller();
      waiting[turn]--;
      served[turn]++;
      for (int caller = 0; caller < callers; caller++) {
        since[caller] = caller == turn ? 0 : since[caller] + 1;
        if (always[caller]) {
          assertThat(since[caller])
              .as("turns of others between two of one of weight %d", weights[caller])
              .isLessThanOrEqualTo(bound[caller]);
        }
      }
    }
    double perWeight = (double) served[0] / weights[0];
    for (int caller = 1; caller < callers; caller++) {
      if (always[caller]) {
        assertThat(served[caller] / (weights[caller] * perWeight))
            .as("of %s by the weights %s", Arrays.toString(served), Arrays.toString(weights))
            .isBetween(0.97, 1.03);
      }
    }
  }
}
