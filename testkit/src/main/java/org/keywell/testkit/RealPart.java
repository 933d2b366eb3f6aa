package org.keywell.testkit;

/**
 * A slow dependency that only some machines have. A test class that uses one has the tag of the
 * same name, which keeps it out of the fast lane.
 */
public enum RealPart {
  SOFTHSM("softhsm"),
  NSS("nss"),
  POSTGRESQL("postgresql"),
  BROWSER("browser");

  private final String tag;

  RealPart(String tag) {
    this.tag = tag;
  }

  /**
   * Declares that a test uses the part.
   *
   * @throws AssertionError in the fast lane, where such a test must not run
   */
  public void inUse() {
    if (Boolean.getBoolean("keywell.test.fast")) {
      throw new AssertionError(
          "a test that uses %s has @Tag(\"%s\"): it does not belong to the fast lane"
              .formatted(this, tag));
    }
  }
}
