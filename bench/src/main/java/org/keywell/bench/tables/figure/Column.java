package org.keywell.bench.tables.figure;

import com.fasterxml.jackson.annotation.JsonValue;

/** A column of measured figures next to the thesis's. */
public enum Column {
  /** The device as it is. */
  NATIVE("native", false),
  /** The same device, slowed to a profile. */
  SIMULATED("simulated", true),
  /** The same with several lanes, for Table 2-10 only. */
  SIMULATED_LANES("simulated, lanes", true);

  private final String label;
  private final boolean simulated;

  Column(String label, boolean simulated) {
    this.label = label;
    this.simulated = simulated;
  }

  /** Whether its times come from a profile rather than a device. */
  public boolean simulated() {
    return simulated;
  }

  /** Returns its name for people and in files. */
  @Override
  @JsonValue
  public String toString() {
    return label;
  }
}
