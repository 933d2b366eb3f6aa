package org.keywell.dss;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdfparser.PDFParser;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;

/**
 * Checks that a PDF is complete. A reader that repairs its input, as DSS's does, finds an empty
 * document in half a file and signs that.
 */
final class WholePdf {
  private static final byte[] END = "%%EOF".getBytes(StandardCharsets.US_ASCII);

  /** Acrobat's limit; PDFBox's is twice that, and includes what comes before the marker. */
  private static final int MOST_BEHIND_END = 1024;

  /** The start of an object: a further revision that is truncated. */
  private static final Pattern OBJECT = Pattern.compile("\\d+\\s+\\d+\\s+obj\\b");

  private WholePdf() {}

  /**
   * Requires what ISO 32000-1, 7.5 specifies: an end-of-file marker, a cross-reference table where
   * the file says it is, objects where the table says, and pages that are readable. Bytes after the
   * marker are allowed unless a further revision starts there.
   *
   * @return what to sign: the document, without bytes after the marker if they are more than
   *     readers look at when they search for it. Behind more, even PDFBox finds no cross-reference
   *     table
   * @throws PasswordException if it is encrypted, and its password does not open it
   * @throws IllegalArgumentException if another requirement is not met
   */
  static Document require(Document pdf) {
    byte[] content = pdf.content();
    int end = end(content);
    if (end < 0) {
      throw new IllegalArgumentException("it is not a whole PDF: it has no end-of-file marker");
    }
    String rest = new String(content, end, content.length - end, StandardCharsets.ISO_8859_1);
    if (OBJECT.matcher(rest).find()) {
      throw new IllegalArgumentException("it is not a whole PDF: its last revision is cut off");
    }
    try (PDDocument document =
        new PDFParser(
                new RandomAccessReadBuffer(ByteBuffer.wrap(content, 0, end).slice()),
                pdf.passwordOrNone())
            .parse(false)) {
      for (PDPage page : document.getPages()) {
        page.getMediaBox();
      }
      CrossReferences.of(content).requireFound();
      return content.length - end > MOST_BEHIND_END ? pdf.with(upTo(end, content, document)) : pdf;
    } catch (InvalidPasswordException e) {
      throw new PasswordException(
          pdf.password() == null
              ? "it is encrypted, and its password is not given"
              : "it is encrypted, and the password does not open it",
          e);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "it is not a whole PDF, or is damaged: " + e.getMessage(), e);
    }
  }

  private static byte[] upTo(int end, byte[] content, PDDocument document) throws IOException {
    for (PDSignature signature : document.getSignatureDictionaries()) {
      int[] range = signature.getByteRange();
      if (range.length == 4 && (long) range[2] + range[3] > end) {
        throw new IllegalArgumentException(
            "it is not a whole PDF: a signature covers bytes behind its end");
      }
    }
    return Arrays.copyOf(content, end);
  }

  /** Returns the index after the last end-of-file marker; -1 if there is none. */
  private static int end(byte[] content) {
    for (int start = content.length - END.length; start >= 0; start--) {
      if (Arrays.equals(content, start, start + END.length, END, 0, END.length)) {
        return start + END.length;
      }
    }
    return -1;
  }
}
