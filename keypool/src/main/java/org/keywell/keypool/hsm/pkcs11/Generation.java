package org.keywell.keypool.hsm.pkcs11;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the wrapping keys that follow each other under a label: the first has the label itself,
 * later ones a number after it, such as {@code keywell-wrapping~2}.
 *
 * @param label without the number
 * @param number from 1
 */
record Generation(String label, int number) {

  private static final Pattern NUMBERED = Pattern.compile("(.+)~([2-9]|[1-9][0-9]{1,5})");

  /** Returns that of a key with this {@code CKA_LABEL}. */
  static Generation of(String keyLabel) {
    Matcher numbered = NUMBERED.matcher(keyLabel);
    return numbered.matches()
        ? new Generation(numbered.group(1), Integer.parseInt(numbered.group(2)))
        : new Generation(keyLabel, 1);
  }

  /** Returns that of a key with this id; see {@link WrappingKey#id()}. */
  static Generation ofId(String id) {
    return of(id.substring(0, Math.max(0, id.lastIndexOf(':'))));
  }

  Generation next() {
    return new Generation(label, number + 1);
  }

  /** Returns the {@code CKA_LABEL} of its key. */
  String keyLabel() {
    return number == 1 ? label : label + "~" + number;
  }
}
