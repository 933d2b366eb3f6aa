package org.keywell.bench.profile;

/** What a service works on: processor time and memory are broken down by these areas. */
public enum Area {
  HTTP("HTTP"),
  JSON("JSON"),
  ADMISSION("admission"),
  QUEUE("queue"),
  HSM("HSM"),
  BINDING("binding"),
  CHECK("check"),
  CERTIFICATE("certificate"),
  DATABASE("database"),
  METRICS("metrics"),
  CONSOLE("console"),
  ANSWER("answer"),
  LOADER("loader"),
  BACKGROUND("background"),
  JIT("JIT"),
  GC("GC"),
  JVM("JVM"),
  OTHER("other");

  private final String words;

  Area(String words) {
    this.words = words;
  }

  /** Returns the name used in reports; docs/PERFORMANCE.md says what belongs to each area. */
  public String words() {
    return words;
  }
}
