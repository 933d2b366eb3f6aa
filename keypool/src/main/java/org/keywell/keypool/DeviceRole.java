package org.keywell.keypool;

/** The role of one device among several. */
public enum DeviceRole {
  /** Generates keys for the store and signs no requests. */
  GENERATE,
  /** Signs with keys that other devices generated. */
  SIGN,
  /** Both. Only such a device can generate a key for one request, since a key never leaves it. */
  BOTH;

  public boolean generates() {
    return this != SIGN;
  }

  public boolean signs() {
    return this != GENERATE;
  }
}
