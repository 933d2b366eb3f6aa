package org.keywell.loadgen.messages;

import java.util.List;

/**
 * What is measured of fresh keys: in each round, for each number of clients, a kept key and then
 * keys of a pool; after that, keys generated on the fly.
 *
 * @param messages how many may be signed in all measurements of a way together
 * @param keySpec the kind of the fresh keys
 * @param seconds of each measurement, unless its share of the messages is used up before
 * @param warmUpSeconds before each, with the same clients and a kept key
 */
public record FreshPlan(
    int messages,
    String keySpec,
    int seconds,
    int warmUpSeconds,
    int rounds,
    List<Integer> clients) {

  /**
   * Sorts the numbers of clients.
   *
   * @throws IllegalArgumentException if there is not a message for each client of each measurement
   */
  public FreshPlan {
    clients = clients.stream().distinct().sorted().toList();
    int least = rounds * clients.size() * clients.getLast();
    if (messages < least) {
      throw new IllegalArgumentException(
          "--fresh is %d; with up to %d clients in each of %d measurements it must be at least %d"
              .formatted(messages, clients.getLast(), rounds * clients.size(), least));
    }
  }

  /** Returns how many messages may be signed in a measurement. */
  int share() {
    return messages / (rounds * clients.size());
  }
}
