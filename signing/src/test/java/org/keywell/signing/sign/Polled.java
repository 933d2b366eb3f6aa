package org.keywell.signing.sign;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes requests from a queue as a handler does. */
final class Polled {

  /** Where there is a key for each. */
  static final Function<PendingRequest, @Nullable Start> AT_ONCE = _ -> Start.Plain.MAKE_KEY;

  private Polled() {}

  /** The request whose turn it is, if each can begin; null if none waits. */
  static @Nullable Admitted now(SignRequestQueue queue) throws InterruptedException {
    return now(queue, AT_ONCE);
  }

  static @Nullable Admitted now(
      SignRequestQueue queue, Function<PendingRequest, @Nullable Start> starts)
      throws InterruptedException {
    SignRequestQueue.Turn turn = queue.poll(0, starts);
    return turn == null ? null : turn.admitted();
  }
}
