package org.keywell.bench.tables.figure;

import com.fasterxml.jackson.annotation.JsonValue;

/** A column of measured figures beside the thesis's. */
public enum Column {
  /** The device as it is. */
  NATIVE("native", false),
  /** The same device, slowed to a profile. */
  SIMULATED("simulated", true),
  /** The same with several lanes: Table 2-10 alone. */
  SIMULATED_LANES("simulated, lanes", true);

  private final String label;
  private final boolean simulated;

  Column(String label, boolean simulated) {
    this.label = label;
    this.simulated = simulated;
  }

  @JsonValue
  public String label() {
    return label;
  }

  /** Whether its times are a profile's rather than a device's. */
  public boolean simulated() {
    return simulated;
  }

  @Override
  public String toString() {
    return label;
  }
}
