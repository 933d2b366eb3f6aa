package org.keywell.dss;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a PDF's tokens (ISO 32000-2, 7.2 and 7.3) from a position on. Repairs nothing: what is not
 * as specified is an {@link IllegalArgumentException}. Not thread-safe.
 */
final class PdfCursor {
  private static final int DEEPEST = 50;

  /** Twice the longest name that readers must take; longer ones are cut off. */
  private static final int LONGEST = 256;

  private static final String WHITE = "\0\t\n\f\r ";
  private static final String DELIMITERS = "()<>[]{}/%";

  private final byte[] pdf;
  private int at;

  PdfCursor(byte[] pdf, long at) {
    if (at < 0 || at >= pdf.length) {
      throw new IllegalArgumentException("outside the file");
    }
    this.pdf = pdf;
    this.at = (int) at;
  }

  int position() {
    return at;
  }

  /** Goes on behind this keyword if it is next. */
  boolean skip(String keyword) {
    int before = at;
    if (regular().equals(keyword)) {
      return true;
    }
    at = before;
    return false;
  }

  void require(String keyword) {
    if (!skip(keyword)) {
      throw new IllegalArgumentException("no " + keyword);
    }
  }

  long integer() {
    try {
      return Long.parseLong(regular());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no integer", e);
    }
  }

  /**
   * Returns a dictionary's direct integers, names (with their slash), arrays and dictionaries;
   * other values as empty strings.
   */
  Map<String, Object> dictionary() {
    white();
    require('<', '<');
    return dictionary(0);
  }

  /** Goes to a stream's first byte. */
  void stream() {
    require("stream");
    if (next() == '\r') {
      at++;
    }
    require('\n');
  }

  private Map<String, Object> dictionary(int depth) {
    List<Object> entries = values('>', depth);
    require('>');
    if (entries.size() % 2 != 0) {
      throw new IllegalArgumentException("a dictionary without a value for each name");
    }
    Map<String, Object> dictionary = new HashMap<>();
    for (int i = 0; i < entries.size(); i += 2) {
      dictionary.put(String.valueOf(entries.get(i)), entries.get(i + 1));
    }
    return dictionary;
  }

  private List<Object> values(char end, int depth) {
    List<Object> values = new ArrayList<>();
    for (white(); next() != end; white()) {
      if (depth > DEEPEST) {
        throw new IllegalArgumentException("it is nested too deeply");
      }
      Object value = value(depth + 1);
      if (value.equals("R") && values.size() >= 2) {
        values.subList(values.size() - 2, values.size()).clear();
        value = "";
      }
      values.add(value);
    }
    at++;
    return values;
  }

  private Object value(int depth) {
    return switch (next()) {
      case '/' -> {
        at++;
        yield "/" + regularHere();
      }
      case '[' -> {
        at++;
        yield values(']', depth);
      }
      case '(' -> literal();
      case '<' -> {
        at++;
        yield next() == '<' ? nested(depth) : hexadecimal();
      }
      default -> {
        String word = regularHere();
        if (word.isEmpty()) {
          throw new IllegalArgumentException("no value");
        }
        yield word.matches("[+-]?\\d{1,18}") ? Long.valueOf(word) : word;
      }
    };
  }

  private Map<String, Object> nested(int depth) {
    at++;
    return dictionary(depth);
  }

  private String hexadecimal() {
    while (next() != '>') {
      at++;
    }
    at++;
    return "";
  }

  private String literal() {
    int open = 0;
    do {
      switch (next()) {
        case '(' -> open++;
        case ')' -> open--;
        case '\\' -> at++;
        default -> {}
      }
      at++;
    } while (open > 0);
    return "";
  }

  private String regular() {
    white();
    return regularHere();
  }

  private String regularHere() {
    int start = at;
    int end = Math.min(pdf.length, start + LONGEST);
    while (at < end && WHITE.indexOf(pdf[at]) < 0 && DELIMITERS.indexOf(pdf[at]) < 0) {
      at++;
    }
    return new String(pdf, start, at - start, StandardCharsets.ISO_8859_1);
  }

  private void white() {
    boolean comment = false;
    for (; at < pdf.length; at++) {
      comment = pdf[at] == '%' || (comment && pdf[at] != '\n' && pdf[at] != '\r');
      if (!comment && WHITE.indexOf(pdf[at]) < 0) {
        return;
      }
    }
  }

  private void require(char... characters) {
    for (char character : characters) {
      if (next() != character) {
        throw new IllegalArgumentException("no '%s'".formatted(new String(characters)));
      }
      at++;
    }
  }

  private int next() {
    if (at >= pdf.length) {
      throw new IllegalArgumentException("it ends too early");
    }
    return pdf[at] & 0xFF;
  }
}
