package org.keywell.signing.database;

/**
 * What an instance found in a comparison, at a moment when nothing moved.
 *
 * @param part the label of a kind of key; or {@code HSM} or {@code stray token keys}, with the
 *     device's name if there are several
 * @param expected for a kind, keys that the instance has claimed; for an HSM, keys that it knows of
 * @param found for a kind, keys that it has loaded or is loading; for an HSM, live private keys, or
 *     those in the token that nobody is known to have made
 */
public record KeyReport(String part, long expected, long found) {

  public boolean matches() {
    return expected == found;
  }
}
