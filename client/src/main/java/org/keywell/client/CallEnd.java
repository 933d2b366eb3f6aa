package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param tries how often it was tried
 * @param status the answer's HTTP status; 0 if there was none
 * @param problem the type of the problem that the service returned, or {@code about:blank}; null on
 *     success
 * @param failure why there was no answer; null if there was one
 */
public record CallEnd(
    int tries, int status, @Nullable String problem, @Nullable Exception failure) {

  static CallEnd answered(int tries, Answer answer) {
    String type = answer.status() / 100 == 2 ? null : answer.problem().type();
    return new CallEnd(
        tries,
        answer.status(),
        type == null && answer.status() / 100 != 2 ? "about:blank" : type,
        null);
  }

  static CallEnd failed(int tries, Exception failure) {
    return new CallEnd(tries, 0, null, failure);
  }
}
