package org.keywell.dss;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.io.RandomAccessRead;
import org.apache.pdfbox.pdfparser.PDFXRefStream;
import org.apache.pdfbox.pdfparser.xref.NormalXReference;
import org.apache.pdfbox.pdfwriter.COSWriter;
import org.jspecify.annotations.Nullable;

/**
 * PDFBox's writer of revisions, whose cross-reference streams also list themselves: an object that
 * no list has makes the number of objects wrong.
 */
final class PdfRevisionWriter extends COSWriter implements AutoCloseable {
  private final RandomAccessRead before;
  private @Nullable COSDocument document;

  PdfRevisionWriter(OutputStream to, RandomAccessRead before) throws IOException {
    super(to, before);
    this.before = before;
  }

  @Override
  public void visitFromDocument(COSDocument written) throws IOException {
    document = written;
    super.visitFromDocument(written);
  }

  @Override
  public void doWriteObject(COSObjectKey key, COSBase object) throws IOException {
    super.doWriteObject(
        key,
        document != null
                && object instanceof COSStream stream
                && COSName.XREF.equals(stream.getCOSName(COSName.TYPE))
            ? listingItself(document, key, stream)
            : object);
  }

  private COSStream listingItself(COSDocument written, COSObjectKey key, COSStream without)
      throws IOException {
    PDFXRefStream complete = new PDFXRefStream(written);
    getXRefEntries().forEach(complete::addEntry);
    complete.addEntry(new NormalXReference(getStandardOutput().getPos(), key, without));
    complete.addTrailerInfo(written.getTrailer());
    complete.setSize(key.getNumber() + 1);
    return complete.getStream();
  }

  @Override
  public void close() throws IOException {
    before.close();
  }
}
