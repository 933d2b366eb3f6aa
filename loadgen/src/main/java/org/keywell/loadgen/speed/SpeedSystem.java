package org.keywell.loadgen.speed;

/** Who answers. */
public enum SpeedSystem {
  KEYWELL("Keywell"),
  PYKMIP("PyKMIP"),
  /** Keywell, with a share of the machine's processors. */
  ONE_SERVER("One server"),
  /** Two such servers, on one database and one token. */
  TWO_SERVERS("Two servers");

  private final String label;

  SpeedSystem(String label) {
    this.label = label;
  }

  /** Returns its name for people. */
  String label() {
    return label;
  }
}
