package org.keywell.keypool;

/**
 * The keys of one kind outside the store at one moment, in one device or in several.
 *
 * @param loading claimed from the store and not yet loaded
 * @param loaded ready to be leased
 * @param leased on lease
 * @param held of those, the ones that acts keep which stand open; they take no room of the loaded
 *     tier
 */
public record PoolDepth(int loading, int loaded, int leased, int held) {

  /** The depths of two devices together. */
  public PoolDepth plus(PoolDepth other) {
    return new PoolDepth(
        loading + other.loading, loaded + other.loaded, leased + other.leased, held + other.held);
  }

  /** Keys that no request has. */
  public int free() {
    return loading + loaded;
  }
}
