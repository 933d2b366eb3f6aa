package org.keywell.loadgen.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.client.SignResponse.Timestamps;

/** The stages of a request in the service, each between two of the times that it answers with. */
enum StageTime {
  QUEUE("queue", Timestamps::requestReceived, Timestamps::requestStartToProcess),
  KEY("key", Timestamps::requestStartToProcess, Timestamps::requestGotKeyPair),
  SIGN("sign", Timestamps::requestGotKeyPair, Timestamps::signed),
  CERTIFY("certify", Timestamps::signed, Timestamps::certified),
  DESTROY("destroy", Timestamps::certified, Timestamps::keyDestroyed),
  RECORD("record", Timestamps::keyDestroyed, Timestamps::requestFinished);

  private interface Mark extends Function<Timestamps, @Nullable Instant> {}

  private final String label;
  private final Mark start;
  private final Mark end;

  StageTime(String label, Mark start, Mark end) {
    this.label = label;
    this.start = start;
    this.end = end;
  }

  String label() {
    return label;
  }

  /** How long the stage took; empty if the service does not tell. */
  OptionalLong micros(Timestamps times) {
    Instant from = start.apply(times);
    Instant to = end.apply(times);
    return from == null || to == null
        ? OptionalLong.empty()
        : OptionalLong.of(ChronoUnit.MICROS.between(from, to));
  }
}
