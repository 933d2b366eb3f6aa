package org.keywell.keypool;

/** What a device among several is for. */
public enum DeviceRole {
  /** Makes keys for the store, and signs for nobody. */
  GENERATE,
  /** Signs with keys that others have made. */
  SIGN,
  /** Both. Only such a device can make a key for one request, since a key never leaves it. */
  BOTH;

  public boolean generates() {
    return this != SIGN;
  }

  public boolean signs() {
    return this != GENERATE;
  }
}
