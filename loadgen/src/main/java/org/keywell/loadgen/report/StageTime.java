package org.keywell.loadgen.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.client.SignResponse.Timestamps;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * Where the time of a signed request goes, from when it was sent: the service's stages, and what
 * the service does not see.
 */
enum StageTime {
  ACCEPT,
  QUEUE,
  KEY,
  SIGN,
  CERTIFY,
  DESTROY,
  FINISH,
  RECORD,
  UNSEEN;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a thread of the service works on the request in the stage with this label. */
  static boolean isWork(String label) {
    return Stream.of(KEY, SIGN, CERTIFY, DESTROY, FINISH).anyMatch(s -> s.label().equals(label));
  }

  /** Returns how long it took; empty if the service does not report it. */
  OptionalLong micros(Sample sample, Outcome.Signed signed) {
    Timestamps times = signed.response().timestamps();
    Long accept = signed.commits().acceptMicros();
    Long record = signed.commits().recordMicros();
    return switch (this) {
      case ACCEPT -> known(accept);
      // Includes ACCEPT if the service does not report that separately.
      case QUEUE -> less(between(times.requestReceived(), times.requestStartToProcess()), accept);
      case KEY -> between(times.requestStartToProcess(), times.requestGotKeyPair());
      case SIGN -> between(times.requestGotKeyPair(), times.signed());
      case CERTIFY -> between(times.signed(), times.certified());
      case DESTROY -> between(times.certified(), times.keyDestroyed());
      case FINISH -> between(times.keyDestroyed(), times.requestFinished());
      case RECORD -> known(record);
      case UNSEEN -> {
        OptionalLong inService = between(times.requestReceived(), times.requestFinished());
        yield inService.isEmpty()
            ? inService
            : less(
                less(known(sample.latencyFromSendNanos() / 1_000), inService.getAsLong()), record);
      }
    };
  }

  private static OptionalLong known(@Nullable Long micros) {
    return micros == null ? OptionalLong.empty() : OptionalLong.of(micros);
  }

  /** Not below 0: the parts are rounded separately. */
  private static OptionalLong less(OptionalLong micros, @Nullable Long part) {
    return micros.isEmpty() || part == null
        ? micros
        : OptionalLong.of(Math.max(0, micros.getAsLong() - part));
  }

  private static OptionalLong between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null
        ? OptionalLong.empty()
        : OptionalLong.of(ChronoUnit.MICROS.between(from, to));
  }
}
