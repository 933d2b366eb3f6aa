package org.keywell.bench.profile;

/** What a service works on: by these its processor time and its memory are told apart. */
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

  /** What it is called in a report; docs/PERFORMANCE.md says what belongs to it. */
  public String words() {
    return words;
  }
}
