package org.keywell.settings;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.UnicodeReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Restricts a file to the part of YAML that means what it seems to, event by event, before anything
 * is built from it: no aliases, anchors, tags or merge keys, which can multiply a small file; and
 * no plain scalars that YAML 1.1 reads differently from what is written, such as {@code 010},
 * {@code 1:30}, {@code NO} or {@code 1e30}. Not thread-safe.
 */
final class PlainYaml {

  private static final int MOST_EVENTS = 250_000;
  private static final int MOST_LEVELS = 16;
  private static final int MOST_CHARACTERS = 64 * 1024;

  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,18}");
  private static final Set<String> BOOLEANS = Set.of("true", "false");
  private static final Set<Tag> NOT_PLAIN = Set.of(Tag.FLOAT, Tag.TIMESTAMP, Tag.MERGE);

  /** A list, or a map whose next scalar is a key or its value. */
  private static final class Level {
    final boolean isMap;
    @Nullable String key;
    int entries;

    Level(boolean isMap) {
      this.isMap = isMap;
    }

    boolean awaitsKey() {
      return isMap && key == null;
    }
  }

  private final String file;
  private final Resolver resolver = new Resolver();
  private final Deque<Level> levels = new ArrayDeque<>();
  private int documents;

  private PlainYaml(String file) {
    this.file = file;
  }

  /**
   * Checks the whole file.
   *
   * @throws StartRefusedException naming file, line, key and what is not allowed
   * @throws org.yaml.snakeyaml.error.YAMLException if it is not YAML
   */
  static void require(String file, byte[] content) {
    PlainYaml plain = new PlainYaml(file);
    int events = 0;
    for (Event event : new Yaml().parse(new UnicodeReader(new ByteArrayInputStream(content)))) {
      if (++events > MOST_EVENTS) {
        throw plain.refused(event, "more than " + MOST_EVENTS + " YAML events");
      }
      plain.take(event);
    }
  }

  private void take(Event event) {
    if (event instanceof DocumentStartEvent && ++documents > 1) {
      throw refused(event, "a second YAML document; there is one in a file");
    }
    if (event instanceof NodeEvent node) {
      if (node instanceof AliasEvent || node.getAnchor() != null) {
        throw refused(event, "anchors and aliases (& and *) are not allowed; write the value out");
      }
      beginEntry(event);
    }
    switch (event) {
      case ScalarEvent scalar -> take(scalar);
      case CollectionStartEvent start -> {
        if (start.getTag() != null) {
          throw refused(event, "tags (!) are not allowed");
        }
        levels.push(new Level(start instanceof MappingStartEvent));
        if (levels.size() > MOST_LEVELS) {
          throw refused(event, "more than " + MOST_LEVELS + " levels");
        }
      }
      case CollectionEndEvent _ -> {
        levels.pop();
        endValue();
      }
      default -> {}
    }
  }

  private void beginEntry(Event event) {
    Level level = levels.peek();
    if (level == null) {
      return;
    }
    if (level.awaitsKey() && !(event instanceof ScalarEvent)) {
      throw refused(event, "a key has to be a text");
    }
    if (!level.isMap) {
      level.entries++;
    }
  }

  private void take(ScalarEvent scalar) {
    if (scalar.getTag() != null) {
      throw refused(scalar, "tags (!) are not allowed");
    }
    requirePlain(scalar);
    Level level = levels.peek();
    if (level != null && level.awaitsKey()) {
      level.key = scalar.getValue();
    } else {
      endValue();
    }
  }

  private void endValue() {
    Level level = levels.peek();
    if (level != null) {
      level.key = null;
    }
  }

  private void requirePlain(ScalarEvent scalar) {
    String text = scalar.getValue();
    if (text.length() > MOST_CHARACTERS) {
      throw refused(scalar, "a value of more than " + MOST_CHARACTERS + " characters");
    }
    if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
      return;
    }
    Tag tag = resolver.resolve(NodeId.scalar, text, true);
    if (tag.equals(Tag.INT) && !isLong(text)) {
      throw refused(
          scalar,
          "'%s' is no whole number in decimal digits from %d to %d; a text goes in quotes"
              .formatted(text, Long.MIN_VALUE, Long.MAX_VALUE));
    }
    if (tag.equals(Tag.BOOL) && !BOOLEANS.contains(text)) {
      throw refused(
          scalar, "'%s' is neither true nor false; a text goes in quotes".formatted(text));
    }
    if (NOT_PLAIN.contains(tag)) {
      throw refused(
          scalar,
          "'%s' is no whole number in decimal digits; a text goes in quotes".formatted(text));
    }
  }

  private static boolean isLong(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return false;
    }
    try {
      long _ = Long.parseLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private StartRefusedException refused(Event event, String problem) {
    StringBuilder path = new StringBuilder();
    levels
        .descendingIterator()
        .forEachRemaining(level -> {
          if (!level.isMap) {
            path.append('[').append(Math.max(0, level.entries - 1)).append(']');
          } else if (level.key != null) {
            path.append(path.isEmpty() ? "" : ".").append(level.key);
          }
        });
    int line = event.getStartMark() == null ? 0 : event.getStartMark().getLine() + 1;
    return new StartRefusedException(
        "%s: line %d: %s%s".formatted(file, line, path.isEmpty() ? "" : path + ": ", problem));
  }
}
