package org.keywell.dss;

import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.pades.DSSFileFont;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.jspecify.annotations.Nullable;

/** The font of a visible signature: the caller's, or the one that PDFBox includes. */
record SignatureFont(Document file) {
  private static final String USUAL = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

  private static final class Usual {
    private static final Document FILE = read();

    private static Document read() {
      try (InputStream in =
          Objects.requireNonNull(PDDocument.class.getResourceAsStream(USUAL), USUAL)) {
        return new Document("LiberationSans-Regular.ttf", in.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static SignatureFont of(@Nullable Document file) {
    return new SignatureFont(file == null ? Usual.FILE : file);
  }

  /** Embeds only the glyphs that are shown. */
  DSSFileFont embedded() {
    DSSFileFont font = new DSSFileFont(new InMemoryDocument(file.content(), file.name()));
    font.setEmbedFontSubset(true);
    return font;
  }

  /**
   * Requires that the font can show the text.
   *
   * @throws CharacterNotShownException if a character has no glyph or belongs to a right-to-left
   *     script
   * @throws IllegalArgumentException if the file is not a usable font
   */
  void require(String text) {
    try (PDDocument scratch = new PDDocument()) {
      PDType0Font font = PDType0Font.load(scratch, new ByteArrayInputStream(file.content()), true);
      text.lines().flatMapToInt(String::codePoints).forEach(character -> require(font, character));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file.name() + " is not a TrueType font that may be embedded: " + e.getMessage(), e);
    }
  }

  private void require(PDType0Font font, int character) {
    byte direction = Character.getDirectionality(character);
    if (direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
        || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC) {
      throw new CharacterNotShownException(character, "which is written from right to left");
    }
    if (!hasGlyph(font, character)) {
      throw new CharacterNotShownException(
          character, "which %s has no glyph for".formatted(file.name()));
    }
  }

  private static boolean hasGlyph(PDType0Font font, int character) {
    try {
      font.encode(Character.toString(character));
      return true;
    } catch (IOException | IllegalArgumentException e) {
      // PDFBox reports a missing glyph only this way.
      return false;
    }
  }
}
