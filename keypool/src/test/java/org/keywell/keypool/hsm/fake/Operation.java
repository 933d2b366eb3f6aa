package org.keywell.keypool.hsm.fake;

/** The calls of {@link org.keywell.keypool.hsm.Hsm} that a {@link FakeHsm} can be told to spoil. */
public enum Operation {
  GENERATE_EXTRACTABLE,
  GENERATE,
  WRAP,
  UNWRAP,
  SIGN,
  DESTROY,
  COUNT_LIVE_KEYS,
  KEEP_DATA,
  PROBE,
  REOPEN
}
