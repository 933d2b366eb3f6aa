package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.keywell.jms.MessageListener;

/** Messages from a broker: answered, moved, and gone back. Thread-safe. */
final class JmsMetrics implements MessageListener {

  /** What alerts ask for. They start at 0, so that the first one shows. */
  private static final List<String> WATCHED = List.of("signed", "interrupted", "internal");

  private final Meters meters;
  private final ConcurrentMap<String, Counter> answered = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Counter> moved = new ConcurrentHashMap<>();
  private final Counter returned;

  JmsMetrics(MeterRegistry registry) {
    meters = new Meters(registry);
    returned =
        meters.counter("keywell.jms.returned", "JMS messages that went back to the broker to wait");
    WATCHED.forEach(this::answers);
    MessageListener.reasons().forEach(this::moves);
  }

  private Counter answers(String result) {
    return answered.computeIfAbsent(
        result,
        of -> meters.counter("keywell.jms.requests", "JMS requests by result", "result", of));
  }

  private Counter moves(String reason) {
    return moved.computeIfAbsent(
        reason,
        of ->
            meters.counter(
                "keywell.jms.dead.letters",
                "JMS messages moved to the dead-letter queue",
                "reason",
                of));
  }

  @Override
  public void answered(String result) {
    answers(result).increment();
  }

  @Override
  public void moved(String reason) {
    moves(reason).increment();
  }

  @Override
  public void returned() {
    returned.increment();
  }
}
