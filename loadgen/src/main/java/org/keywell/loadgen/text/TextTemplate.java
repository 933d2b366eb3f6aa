package org.keywell.loadgen.text;

import com.samskivert.mustache.DefaultCollector;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A text with places for figures: Mustache with single braces, and with forms. Immutable.
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
  private static final Mustache.Compiler MUSTACHE =
      Mustache.compiler()
          .withDelims("{ }")
          .escapeHTML(false)
          .emptyStringIsFalse(true)
          .zeroIsFalse(true)
          .strictSections(true)
          .nullValue(Figure.UNKNOWN)
          .withCollector(
              new DefaultCollector() {
                @Override
                public Mustache.VariableFetcher createFetcher(Object context, String name) {
                  Figure figure = Figure.named(name);
                  return (from, _) -> figure.in(from);
                }
              });

  /** A name in a template, with its form and its columns. */
  private record Figure(String path, @Nullable Form form, int columns) {
    static final String UNKNOWN = "–";
    private static final Pattern NAME = Pattern.compile("([^:|]+)(?::([^|]+))?(?:\\|(-?\\d+))?");

    static Figure named(String name) {
      Matcher parts = NAME.matcher(name);
      if (!parts.matches()) {
        throw new IllegalStateException("a template has the name '" + name + "'");
      }
      String form = parts.group(2);
      String columns = parts.group(3);
      return new Figure(
          String.valueOf(parts.group(1)),
          form == null ? null : Form.named(form),
          columns == null ? 0 : Integer.parseInt(columns));
    }

    @Nullable Object in(Object context) {
      Object value = context;
      for (String name : path.equals(".") ? new String[0] : path.split("\\.", -1)) {
        if (value == null) {
          break;
        }
        if (!(value instanceof Map<?, ?> map && map.containsKey(name))) {
          return Template.NO_FETCHER_FOUND;
        }
        value = map.get(name);
      }
      if (form == null && columns == 0) {
        // Mustache takes any number below 1 for 0.
        return value instanceof Double number && number != 0 ? number.toString() : value;
      }
      String text = value == null ? UNKNOWN : value.toString();
      String shown = value == null || form == null ? text : form.of(Double.parseDouble(text));
      return columns == 0 ? shown : String.format(Locale.ROOT, "%" + columns + "s", shown);
    }
  }

  private final Template template;

  private TextTemplate(String text) {
    template = MUSTACHE.compile(text);
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
    return template.execute(JsonMapper.shared().convertValue(document, Map.class));
  }
}
