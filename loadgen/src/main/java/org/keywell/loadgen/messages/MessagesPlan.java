package org.keywell.loadgen.messages;

import java.time.Duration;
import java.util.List;

/**
 * What a run measures: in each round all guards in turn, for each layout and number of clients.
 *
 * @param seconds of each measurement
 * @param warmUpSeconds before each, with the same clients
 */
public record MessagesPlan(
    int seconds,
    int warmUpSeconds,
    int rounds,
    List<Integer> clients,
    List<Layout> layouts,
    List<Guard> guards) {

  public MessagesPlan {
    clients = clients.stream().distinct().sorted().toList();
    layouts = layouts.stream().distinct().sorted().toList();
    guards = guards.stream().distinct().sorted().toList();
  }

  int measurements() {
    return rounds * clients.size() * layouts.size() * guards.size();
  }

  /** Returns the time of all measurements, without that to start and to connect. */
  public Duration time() {
    return Duration.ofSeconds((long) measurements() * (seconds + warmUpSeconds));
  }
}
