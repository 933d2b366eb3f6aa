package org.keywell.loadgen.messages;

/** How messages are protected. */
public enum Guard {
  NONE("none", "grey"),
  INTEGRITY("integrity", "blue"),
  PRIVACY("privacy", "red"),
  CONFIDENTIALITY_32("confidentiality-32", "green"),
  CONFIDENTIALITY("confidentiality", "purple"),
  /** Between clients and broker; the broker sees messages as they are. */
  TLS("tls", "orange");

  private final String label;
  private final String colour;

  Guard(String label, String colour) {
    this.label = label;
    this.colour = colour;
  }

  /** Returns its name as an option's value. */
  @Override
  public String toString() {
    return label;
  }

  String title() {
    return switch (this) {
      case CONFIDENTIALITY_32 -> "confidentiality (32)";
      case CONFIDENTIALITY -> "confidentiality (unlimited)";
      case TLS -> "TLS";
      default -> label;
    };
  }

  /** Returns a colour's name in the page's style. */
  String colour() {
    return colour;
  }
}
