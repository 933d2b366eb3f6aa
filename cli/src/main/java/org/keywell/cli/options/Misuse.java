package org.keywell.cli.options;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains what is wrong with a command line, using the names that its user knows. */
public final class Misuse {

  private Misuse() {}

  /** Returns one line; Keywell's own findings keep their wording. */
  public static String explain(ParameterException mistake) {
    String words =
        switch (mistake) {
          case UnmatchedArgumentException unmatched -> unmatched(unmatched);
          case MissingParameterException missing -> missing(missing);
          default -> unreadable(mistake);
        };
    return words.replaceAll("\\s*\\R\\s*", "; ");
  }

  private static String unmatched(UnmatchedArgumentException mistake) {
    String first = mistake.getUnmatched().isEmpty() ? "" : mistake.getUnmatched().getFirst();
    return "%s '%s'"
        .formatted(first.startsWith("-") ? "unknown option" : "unexpected argument", first);
  }

  /** Explains an option without its value, or a missing argument. */
  private static String missing(MissingParameterException mistake) {
    return mistake.getMissing().stream()
        .map(missing ->
            missing.isOption() && !missing.required()
                ? "%s needs a value (%s)".formatted(nameOf(missing), missing.paramLabel())
                : nameOf(missing) + " is missing")
        .collect(Collectors.joining("; "));
  }

  private static String unreadable(ParameterException mistake) {
    ArgSpec argument = mistake.getArgSpec();
    String value = mistake.getValue();
    if (argument == null || value == null) {
      return String.valueOf(mistake.getMessage());
    }
    Class<?> type = argument.type();
    if (type.isEnum()) {
      String values =
          Arrays.stream(type.getEnumConstants())
              .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
      return "%s '%s' is none of %s".formatted(nameOf(argument), value, values);
    }
    return switch (type.getSimpleName()) {
      case "int", "Integer", "long", "Long" ->
          "%s '%s' is no whole number".formatted(nameOf(argument), value);
      case "double", "Double" -> "%s '%s' is no number".formatted(nameOf(argument), value);
      default -> String.valueOf(mistake.getMessage());
    };
  }

  private static String nameOf(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
