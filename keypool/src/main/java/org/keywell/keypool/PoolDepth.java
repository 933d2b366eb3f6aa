package org.keywell.keypool;

/**
 * The keys of one kind outside the store at one moment, in one device or in several.
 *
 * @param loading claimed from the store and not yet loaded
 * @param loaded ready to be leased
 * @param leased on lease
 * @param held those of the leased keys that open acts hold; they take no room in the loaded tier
 */
public record PoolDepth(int loading, int loaded, int leased, int held) {

  /** Returns the combined depth of two devices. */
  public PoolDepth plus(PoolDepth other) {
    return new PoolDepth(
        loading + other.loading, loaded + other.loaded, leased + other.leased, held + other.held);
  }

  /** Returns the keys that no request has. */
  public int free() {
    return loading + loaded;
  }
}
