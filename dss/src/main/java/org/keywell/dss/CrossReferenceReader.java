package org.keywell.dss;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PDF's cross-reference sections from the newest to the oldest: tables, streams, and both
 * in one section. Not thread-safe.
 */
final class CrossReferenceReader {

  /** In all sections together. Their entries take 200 MB. */
  private static final long MOST_ENTRIES = 2_000_000;

  private static final int MOST_SECTIONS = 10_000;

  private final byte[] pdf;
  private final Set<Long> sections = new LinkedHashSet<>();
  private final List<String> faults = new ArrayList<>();
  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private long listed;
  private long size = -1;

  /**
   * Where an object is.
   *
   * @param type 0 if it is nowhere, 1 if it is in the file, 2 if it is in a stream of objects
   * @param place its offset, or the number of the stream
   * @param detail its generation, or its index in the stream
   */
  record Entry(int type, long place, long detail) {}

  CrossReferenceReader(byte[] pdf) {
    this.pdf = pdf;
  }

  void readAll() {
    long next = lastSection();
    while (next >= 0) {
      if (!sections.add(next) || sections.size() > MOST_SECTIONS) {
        faults.add("its cross-reference sections do not end");
        return;
      }
      next = sectionBefore(next);
    }
  }

  /** Returns where the sections start, the newest first. */
  List<Long> sections() {
    return List.copyOf(sections);
  }

  List<String> faults() {
    return faults;
  }

  /** Returns the newest entry of each object. */
  NavigableMap<Long, Entry> entries() {
    return entries;
  }

  /** Returns the number of objects that the newest section states; -1 if none could be read. */
  long size() {
    return size;
  }

  private long lastSection() {
    int start = new String(pdf, StandardCharsets.ISO_8859_1).lastIndexOf("startxref");
    try {
      PdfCursor cursor = new PdfCursor(pdf, start);
      cursor.require("startxref");
      return cursor.integer();
    } catch (IllegalArgumentException e) {
      faults.add("its end names no cross-reference section");
      return -1;
    }
  }

  /** Takes in a section; returns where the one before it is, -1 if there is none. */
  private long sectionBefore(long offset) {
    try {
      PdfCursor cursor = new PdfCursor(pdf, offset);
      Map<String, Object> trailer = cursor.skip("xref") ? table(cursor) : stream(cursor);
      if (size < 0) {
        size = number(trailer, "/Size");
      }
      if (trailer.get("/XRefStm") instanceof Long hybrid) {
        stream(new PdfCursor(pdf, hybrid));
      }
      return trailer.containsKey("/Prev") ? number(trailer, "/Prev") : -1;
    } catch (IllegalArgumentException | IOException e) {
      faults.add("there is no cross-reference section at " + offset + ": " + e.getMessage());
      return -1;
    }
  }

  private Map<String, Object> table(PdfCursor cursor) {
    while (!cursor.skip("trailer")) {
      long first = cursor.integer();
      long count = count(cursor.integer());
      for (long number = first; number < first + count; number++) {
        long place = cursor.integer();
        long generation = cursor.integer();
        boolean used = cursor.skip("n");
        if (!used) {
          cursor.require("f");
        }
        entries.putIfAbsent(number, new Entry(used ? 1 : 0, place, generation));
      }
    }
    return cursor.dictionary();
  }

  private Map<String, Object> stream(PdfCursor cursor) throws IOException {
    cursor.integer();
    cursor.integer();
    cursor.require("obj");
    Map<String, Object> dictionary = cursor.dictionary();
    if (!"/XRef".equals(dictionary.get("/Type"))) {
      throw new IllegalArgumentException("no stream of the type /XRef");
    }
    int[] widths = {0, 0, 0};
    List<Long> stated = numbers(dictionary.get("/W"));
    for (int i = 0; i < widths.length; i++) {
      widths[i] = stated.size() == widths.length ? (int) Math.min(stated.get(i), 9) : 9;
      if (widths[i] < 0 || widths[i] > Long.BYTES) {
        throw new IllegalArgumentException("no /W of three widths");
      }
    }
    List<Long> index =
        dictionary.containsKey("/Index")
            ? numbers(dictionary.get("/Index"))
            : List.of(0L, number(dictionary, "/Size"));
    cursor.stream();
    InputStream content =
        new ByteArrayInputStream(pdf, cursor.position(), pdf.length - cursor.position());
    try (DataInputStream rows = new DataInputStream(decoded(content, dictionary))) {
      for (int i = 0; i + 1 < index.size(); i += 2) {
        long first = index.get(i);
        long count = count(index.get(i + 1));
        for (long number = first; number < first + count; number++) {
          int type = widths[0] == 0 ? 1 : (int) field(rows, widths[0]);
          Entry entry = new Entry(type, field(rows, widths[1]), field(rows, widths[2]));
          entries.putIfAbsent(number, entry);
        }
      }
    }
    return dictionary;
  }

  private static InputStream decoded(InputStream content, Map<String, Object> dictionary) {
    Object filter = single(dictionary.get("/Filter"));
    if (filter == null) {
      return content;
    }
    if (!filter.equals("/FlateDecode")) {
      throw new IllegalArgumentException("a filter other than /FlateDecode");
    }
    InputStream inflated = new BufferedInputStream(new InflaterInputStream(content));
    if (single(dictionary.get("/DecodeParms")) instanceof Map<?, ?> parameters
        && parameters.get("/Predictor") instanceof Long predictor
        && predictor > 1) {
      if (predictor < 10 || !(parameters.get("/Columns") instanceof Long columns)) {
        throw new IllegalArgumentException("a predictor other than PNG's");
      }
      return new PngRows(inflated, (int) Math.max(1, Math.min(columns, 3 * Long.BYTES)));
    }
    return inflated;
  }

  private static @Nullable Object single(@Nullable Object value) {
    return value instanceof List<?> list && list.size() == 1 ? list.get(0) : value;
  }

  private static long field(DataInputStream rows, int width) throws IOException {
    long value = 0;
    for (int i = 0; i < width; i++) {
      value = value << 8 | rows.readUnsignedByte();
    }
    return value;
  }

  /** Limits the work: a stream of a few bytes can list any number of objects. */
  private long count(long count) {
    listed += count;
    if (count < 0 || listed > MOST_ENTRIES) {
      throw new IllegalArgumentException("more than %s entries".formatted(MOST_ENTRIES));
    }
    return count;
  }

  private static List<Long> numbers(@Nullable Object array) {
    List<Long> numbers = new ArrayList<>();
    if (array instanceof List<?> values) {
      for (Object value : values) {
        if (!(value instanceof Long number)) {
          throw new IllegalArgumentException("an array of other values than integers");
        }
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static long number(Map<String, Object> dictionary, String name) {
    if (dictionary.get(name) instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("no number " + name);
  }
}
