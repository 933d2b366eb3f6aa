package org.keywell.bench.profile;

/** A program that is always at work, and says when it has begun. */
final class Busy {
  static final int READY = '.';
  static final int BLOCK = 1_000;

  private Busy() {}

  public static void main(String[] arguments) {
    System.out.write(READY);
    System.out.flush();
    long sum;
    do {
      sum = work();
    } while (sum <= BLOCK * (long) Byte.MAX_VALUE);
  }

  private static long work() {
    byte[] block = new byte[BLOCK];
    for (int i = 0; i < block.length; i++) {
      block[i] = (byte) (i * 31);
    }
    long sum = 0;
    for (byte each : block) {
      sum += each;
    }
    return sum;
  }
}
