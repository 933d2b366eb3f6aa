package org.keywell.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.dss.Document;
import org.keywell.dss.SignaturePlace;
import org.keywell.dss.VisibleSignature;
import picocli.CommandLine.Option;

/** Options for what a signed PDF shows of its signature, and where. */
final class VisibleOptions {
  private static final String LENGTH = "(\\d{1,5}(?:\\.\\d+)?)";
  private static final Pattern CORNER = Pattern.compile(LENGTH + "," + LENGTH);
  private static final Pattern SIZE = Pattern.compile(LENGTH + "x" + LENGTH);
  private static final int LAST_PAGE = -1;

  @Option(
      names = "--visible",
      description =
          "With --pades: show who signed, and when, at the next free place of the last page. Each"
              + " --visible-... option below implies this.")
  private boolean visible;

  @Option(
      names = "--visible-page",
      paramLabel = "N",
      description = "Show it on page N instead; -1 is the last page, -2 the one before.")
  private @Nullable Integer page;

  @Option(
      names = "--visible-at",
      paramLabel = "LEFT,TOP",
      description =
          "Show it at this exact position: points (1/72 inch) from the page's upper left corner,"
              + " such as 36,700.")
  private @Nullable String corner;

  @Option(
      names = "--visible-size",
      paramLabel = "WIDTHxHEIGHT",
      description = "Its size in points; default: 220x54.")
  private @Nullable String size;

  @Option(
      names = "--visible-field",
      paramLabel = "NAME",
      description = "Show it in this existing signature field of FILE, not signed yet.")
  private @Nullable String field;

  @Option(
      names = "--visible-text",
      paramLabel = "TEXT",
      description = "Show this instead of the name and the time; \\n starts a new line.")
  private @Nullable String text;

  @Option(
      names = "--visible-font",
      paramLabel = "FILE",
      description = "TrueType font to use; default: one for Latin, Greek and Cyrillic.")
  private @Nullable Path font;

  private List<String> given() {
    List<String> names = new ArrayList<>();
    if (visible) {
      names.add("--visible");
    }
    if (page != null) {
      names.add("--visible-page");
    }
    if (corner != null) {
      names.add("--visible-at");
    }
    if (size != null) {
      names.add("--visible-size");
    }
    if (field != null) {
      names.add("--visible-field");
    }
    if (text != null) {
      names.add("--visible-text");
    }
    if (font != null) {
      names.add("--visible-font");
    }
    return names;
  }

  /** Returns what is wrong with the options, in words for the user; null if nothing is. */
  @Nullable String mistake(boolean pdf) {
    if (!pdf && !given().isEmpty()) {
      return given().getFirst() + " goes with --pades";
    }
    if (field != null && (page != null || corner != null || size != null)) {
      return "--visible-field has its own page, place and size";
    }
    if (corner != null && !CORNER.matcher(corner).matches()) {
      return "--visible-at '" + corner + "' is not of the form LEFT,TOP, such as 36,700";
    }
    if (size != null && !SIZE.matcher(size).matches()) {
      return "--visible-size '" + size + "' is not of the form WIDTHxHEIGHT, such as 220x54";
    }
    try {
      place();
      return null;
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Returns null if the signature is invisible. */
  @Nullable VisibleSignature signature() throws IOException {
    if (given().isEmpty()) {
      return null;
    }
    VisibleSignature signature = VisibleSignature.at(place());
    if (text != null) {
      signature = signature.saying(text.replace("\\n", "\n"));
    }
    return font == null ? signature : signature.withFont(Document.read(font));
  }

  private SignaturePlace place() {
    if (field != null) {
      return new SignaturePlace.Field(field);
    }
    int number = page == null ? LAST_PAGE : page;
    float[] lengths =
        size == null
            ? new float[] {VisibleSignature.WIDTH, VisibleSignature.HEIGHT}
            : lengths(SIZE, size);
    if (corner == null) {
      return new SignaturePlace.Free(number, lengths[0], lengths[1]);
    }
    float[] at = lengths(CORNER, corner);
    return new SignaturePlace.At(number, at[0], at[1], lengths[0], lengths[1]);
  }

  private static float[] lengths(Pattern form, String both) {
    Matcher matcher = form.matcher(both);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(both);
    }
    return new float[] {Float.parseFloat(matcher.group(1)), Float.parseFloat(matcher.group(2))};
  }
}
