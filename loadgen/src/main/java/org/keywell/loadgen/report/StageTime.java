package org.keywell.loadgen.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.keywell.client.SignResponse.Timestamps;

/** The stages of a request in the service, each between two of the times that it answers with. */
enum StageTime {
  QUEUE,
  KEY,
  SIGN,
  CERTIFY,
  DESTROY,
  RECORD;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How long the stage took; empty if the service does not tell. */
  OptionalLong micros(Timestamps times) {
    return switch (this) {
      case QUEUE -> between(times.requestReceived(), times.requestStartToProcess());
      case KEY -> between(times.requestStartToProcess(), times.requestGotKeyPair());
      case SIGN -> between(times.requestGotKeyPair(), times.signed());
      case CERTIFY -> between(times.signed(), times.certified());
      case DESTROY -> between(times.certified(), times.keyDestroyed());
      case RECORD -> between(times.keyDestroyed(), times.requestFinished());
    };
  }

  private static OptionalLong between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null
        ? OptionalLong.empty()
        : OptionalLong.of(ChronoUnit.MICROS.between(from, to));
  }
}
