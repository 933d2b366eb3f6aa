package org.keywell.loadgen.report;

/** How many figures it takes before anything is concluded from them. */
final class SampleSize {

  /** Of fewer, one outlier makes the result. */
  public static final int LEAST = 30;

  private SampleSize() {}

  public static boolean isTooSmall(int figures) {
    return figures < LEAST;
  }

  /** What is said instead of a conclusion. */
  public static String tooFew(int figures) {
    return "too few to compare (n = %d)".formatted(figures);
  }
}
