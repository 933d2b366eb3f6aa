package org.keywell.loadgen.speed;

/** What is measured, in this order. */
public enum SpeedOperation {
  GET("Get AES-256", "get-aes"),
  WRAP("Get AES-256 under NIST key wrap", "wrap"),
  CREATE_AES("Create AES-256", "create-aes"),
  CREATE_EC("Create EC P-256", "create-ec"),
  RSA_FROM_POOL("Create RSA-2048, from the pool", "create-rsa"),
  RSA_WITHOUT_POOL("Create RSA-2048, without a pool", "create-rsa");

  private final String label;
  private final String published;

  SpeedOperation(String label, String published) {
    this.label = label;
    this.published = published;
  }

  /** Returns its name for people. */
  public String label() {
    return label;
  }

  /** Returns the published operation that it is compared with. */
  String published() {
    return published;
  }
}
