package org.keywell.loadgen.messages;

/** Which keys sign requests. */
public enum KeyUse {
  KEPT("kept", "one kept key", "blue"),
  POOLED("pooled", "a fresh key from the pool", "green"),
  ON_THE_FLY("on-the-fly", "a fresh key generated on the fly", "red");

  private final String label;
  private final String title;
  private final String colour;

  KeyUse(String label, String title, String colour) {
    this.label = label;
    this.title = title;
    this.colour = colour;
  }

  /** Returns its name in files. */
  @Override
  public String toString() {
    return label;
  }

  String title() {
    return title;
  }

  /** Returns a colour's name in the page's style. */
  String colour() {
    return colour;
  }
}
