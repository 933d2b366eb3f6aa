package org.keywell.keypool;

/**
 * The keys of one kind outside the store at one moment.
 *
 * @param loading claimed from the store and not yet loaded
 * @param loaded ready to be leased
 * @param leased on lease
 */
public record PoolDepth(int loading, int loaded, int leased) {

  /** Keys that no request has. */
  public int free() {
    return loading + loaded;
  }
}
