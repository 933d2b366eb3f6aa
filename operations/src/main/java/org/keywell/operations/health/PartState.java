package org.keywell.operations.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a part.
 *
 * @param fault why it is not ready; empty if it is
 * @param warnings what will make it fail unless somebody acts; it may be ready all the same
 * @param details for operators, without secrets or personal data
 */
public record PartState(Optional<Fault> fault, List<String> warnings, Map<String, Object> details) {

  /** Why and since when a part is not ready. */
  public record Fault(String reason, Instant since) {}

  static PartState ready(Map<String, Object> details) {
    return new PartState(Optional.empty(), List.of(), details);
  }

  static PartState notReady(String reason, Instant since, Map<String, Object> details) {
    return new PartState(Optional.of(new Fault(reason, since)), List.of(), details);
  }

  PartState warning(List<String> warnings) {
    return new PartState(fault, warnings, details);
  }

  public boolean isReady() {
    return fault.isEmpty();
  }
}
