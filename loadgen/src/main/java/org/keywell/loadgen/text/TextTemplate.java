package org.keywell.loadgen.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A text with places for figures, like Mustache with single braces. Immutable.
 *
 * <ul>
 *   <li>{@code {totals.signed:0|8}} is a figure, by {@link Form}, in at least 8 columns; -8 aligns
 *       it left. Null is a dash. An unknown name is an error.
 *   <li>{@code {#pool}...{/pool}} appears for each element of a list; or once, if the value is not
 *       null, false, 0 or empty. Names inside are looked up inside first.
 *   <li>{@code {^pool}...{/pool}} appears if that would not.
 * </ul>
 *
 * <p>Lines that hold only a section tag are dropped.
 */
public final class TextTemplate {
  private static final Pattern TAG =
      Pattern.compile(
          "(?:(?<=\\n)|\\A)[ \\t]*\\{([#^/])([\\w.]+)}[ \\t]*\\n|\\{([#^/])([\\w.]+)}"
              + "|\\{([\\w.]+)(?::([\\w.,]+))?(?:\\|(-?\\d+))?}");
  private static final String ITSELF = ".";
  private static final JsonMapper JSON = JsonMapper.shared();

  private sealed interface Node {}

  private record Text(String text) implements Node {}

  private record Figure(String path, @Nullable Form form, int columns) implements Node {}

  private record Part(String path, boolean inverted, List<Node> nodes) implements Node {}

  /** The values in which names are looked up, the innermost first. */
  private record Scope(JsonNode value, @Nullable Scope outer) {
    JsonNode find(String path) {
      if (path.equals(ITSELF)) {
        return value;
      }
      String[] names = path.split("\\.", -1);
      for (Scope scope = this; scope != null; scope = scope.outer()) {
        JsonNode found = scope.value().path(names[0]);
        for (int i = 1; i < names.length && !found.isNull() && !found.isMissingNode(); i++) {
          found = found.path(names[i]);
        }
        if (!found.isMissingNode()) {
          return found;
        }
      }
      throw new IllegalStateException("a template's '" + path + "' is not there");
    }
  }

  private final List<Node> nodes;

  private TextTemplate(String text) {
    Matcher tags = TAG.matcher(text);
    nodes = new Parser(text, tags).until("");
  }

  /** Returns a template of this text. */
  public static TextTemplate of(String text) {
    return new TextTemplate(text);
  }

  /** Returns the template in a {@link Resource}. */
  public static TextTemplate resource(String path) {
    return new TextTemplate(Resource.text(path));
  }

  /** Returns the text with a document's figures; Jackson must be able to write it as JSON. */
  public String with(Object document) {
    StringBuilder out = new StringBuilder();
    write(nodes, new Scope(JSON.valueToTree(document), null), out);
    return out.toString();
  }

  private static void write(List<Node> nodes, Scope scope, StringBuilder out) {
    for (Node node : nodes) {
      switch (node) {
        case Text(String text) -> out.append(text);
        case Figure figure -> out.append(shown(figure, scope.find(figure.path())));
        case Part part -> {
          JsonNode value = scope.find(part.path());
          if (part.inverted() == isSomething(value)) {
            continue;
          }
          for (JsonNode each : value.isArray() && !part.inverted() ? value : List.of(value)) {
            write(part.nodes(), new Scope(each, scope), out);
          }
        }
      }
    }
  }

  private static boolean isSomething(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL, MISSING -> false;
      case BOOLEAN -> value.booleanValue();
      case NUMBER -> value.doubleValue() != 0;
      case STRING -> !value.asString().isEmpty();
      default -> !value.isEmpty();
    };
  }

  private static String shown(Figure figure, JsonNode value) {
    String text =
        value.isNull()
            ? "–"
            : figure.form() == null ? value.asString() : figure.form().of(value.doubleValue());
    return figure.columns() == 0
        ? text
        : String.format(Locale.ROOT, "%" + figure.columns() + "s", text);
  }

  /** Parses a template from start to end. */
  private static final class Parser {
    private final String text;
    private final Matcher tags;
    private int at;

    Parser(String text, Matcher tags) {
      this.text = text;
      this.tags = tags;
    }

    /** Returns all up to the end of this path's part, or of the template if the path is empty. */
    List<Node> until(String path) {
      List<Node> found = new ArrayList<>();
      while (tags.find()) {
        found.add(new Text(text.substring(at, tags.start())));
        at = tags.end();
        String sign = tags.group(1) == null ? tags.group(3) : tags.group(1);
        if (sign == null) {
          found.add(figure());
          continue;
        }
        String name = String.valueOf(tags.group(2) == null ? tags.group(4) : tags.group(2));
        if (sign.equals("/")) {
          check(name.equals(path), "{/" + name + "} ends what has not begun");
          return List.copyOf(found);
        }
        found.add(new Part(name, sign.equals("^"), until(name)));
      }
      check(path.isEmpty(), "{#" + path + "} has no end");
      found.add(new Text(text.substring(at)));
      return List.copyOf(found);
    }

    private Figure figure() {
      String form = tags.group(6);
      String columns = tags.group(7);
      return new Figure(
          String.valueOf(tags.group(5)),
          form == null ? null : Form.named(form),
          columns == null ? 0 : Integer.parseInt(columns));
    }

    private static void check(boolean right, String problem) {
      if (!right) {
        throw new IllegalStateException("a template's " + problem);
      }
    }
  }
}
