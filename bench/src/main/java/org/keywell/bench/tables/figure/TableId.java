package org.keywell.bench.tables.figure;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The tables of the thesis's section 2.10, in its order. */
public enum TableId {
  GENERATION("2-4", "Key generation"),
  WRAP_AND_SAVE("2-5", "Generate a key, wrap it and save it"),
  TRANSFER("2-6", "Move a block of wrapped keys from or to the database"),
  LOAD_AND_UNWRAP("2-7", "Load a block of keys from the database and unwrap them"),
  WHOLE_SIGNING("2-8/2-9", "A whole signing: sign, certify, destroy"),
  THREADS("2-10", "Signing with several threads"),
  SIGNING_WHILE_UNWRAPPING("2-11", "Signing while another thread unwraps keys");

  private final String number;
  private final String title;

  TableId(String number, String title) {
    this.number = number;
    this.title = title;
  }

  /** Returns the thesis's number; 2-8 and 2-9 are one table here, measured from two places. */
  @JsonValue
  public String number() {
    return number;
  }

  public String title() {
    return title;
  }

  /** Returns the number as a part of a file's name. */
  public String fileName() {
    return "table-" + number.replace('/', '-');
  }

  /**
   * Returns the table with that number; 2-8 and 2-9 are also valid on their own.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static TableId ofNumber(String number) {
    return Arrays.stream(values())
        .filter(id -> id.number.equals(number) || id.parts().contains(number))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "there is no table '"
                    + number
                    + "'; these are measured: "
                    + Arrays.stream(values())
                        .map(TableId::number)
                        .collect(Collectors.joining(", "))));
  }

  private List<String> parts() {
    return List.of(number.split("/"));
  }

  @Override
  public String toString() {
    return number;
  }
}
