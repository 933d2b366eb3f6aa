package org.keywell.service.pool;

/**
 * What an instance found when it compared, at a moment at which nothing moved.
 *
 * @param part the label of a kind of key; or {@code HSM} or {@code stray token keys}, with the
 *     device's name if there are several
 * @param expected of a kind, keys that the instance has claimed; of an HSM, keys that it knows of
 * @param found of a kind, keys that it has loaded or is loading; of an HSM, live private keys, or
 *     those in the token that nobody is known to have made
 */
public record KeyReport(String part, long expected, long found) {

  public boolean matches() {
    return expected == found;
  }
}
