package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
final class DeadLetterNotesTest {

  private final AtomicLong nanos = new AtomicLong();
  private final DeadLetterNotes notes = new DeadLetterNotes("dead", nanos::get);

  private static Incoming.Poison poison(Fault fault, String detail) {
    return new Incoming.Poison(fault, "trial", detail, null);
  }

  @Test
  void eachReasonHasALineAMinute(CapturedOutput output) {
    for (int i = 0; i < 24; i++) {
      notes.moved(poison(Fault.CALLER_UNKNOWN, "its sender is no broker-user"));
    }
    notes.moved(poison(Fault.REPLY_FAILED, "the answer could not be sent to mine (no such queue)"));
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    notes.moved(poison(Fault.CALLER_UNKNOWN, "its sender is no broker-user"));

    assertThat(output.getOut().lines().filter(line -> line.contains("messages moved to dead")))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(
                        "caller-unknown: 1; the last, of trial: its sender is no broker-user;")
                    .endsWith("the sender gets no answer"),
            line ->
                assertThat(line)
                    .contains(
                        "reply-failed: 1; the last, of trial: the answer could not be sent to")
                    .contains("(no such queue)"),
            line -> assertThat(line).contains("caller-unknown: 24;"));
  }
}
