package org.keywell.loadgen.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads values of {@code --require}. */
final class Requirements {

  private Requirements() {}

  /** Reads all of them with the given parser, which says what is wrong with one. */
  static <R> List<R> parse(List<String> texts, Function<String, R> parser) throws MisuseException {
    List<R> requirements = new ArrayList<>();
    try {
      for (String text : texts) {
        requirements.add(parser.apply(text));
      }
    } catch (IllegalArgumentException e) {
      throw new MisuseException("--require " + e.getMessage());
    }
    return requirements;
  }
}
