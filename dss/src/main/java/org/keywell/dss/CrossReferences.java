package org.keywell.dss;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.keywell.dss.CrossReferenceReader.Entry;

/**
 * What strict readers find by a PDF's cross-reference sections (ISO 32000-2, 7.5). It is read
 * without repairs, and without PDFBox, which writes the sections of signatures and would read its
 * own mistakes again.
 *
 * @param sections where they start, the newest first
 * @param faults for which readers refuse the file, or search it for objects and may find others
 * @param isSizeRight whether the newest section states the number of objects as it is
 */
record CrossReferences(List<Long> sections, List<String> faults, boolean isSizeRight) {

  /** Reads all sections. */
  static CrossReferences of(byte[] pdf) {
    CrossReferenceReader reader = new CrossReferenceReader(pdf);
    reader.readAll();
    List<String> faults = new ArrayList<>(reader.faults());
    NavigableMap<Long, Entry> entries = reader.entries();
    for (Map.Entry<Long, Entry> each : entries.entrySet()) {
      Entry entry = each.getValue();
      boolean found =
          switch (entry.type()) {
            case 1 -> entry.place() == 0 || isObject(pdf, each.getKey(), entry);
            case 2 -> isInFile(entries.get(entry.place()));
            default -> true;
          };
      if (!found) {
        faults.add("object %s is not where its table says".formatted(each.getKey()));
      }
    }
    return new CrossReferences(
        reader.sections(), faults, !entries.isEmpty() && reader.size() == entries.lastKey() + 1);
  }

  /**
   * Requires that readers find all objects.
   *
   * @throws IllegalArgumentException naming a fault
   */
  void requireFound() {
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "it is damaged, and readers may repair it differently: " + faults.get(0));
    }
  }

  /**
   * Requires of a PDF to which a signature has added revisions that readers find all objects, and
   * all earlier revisions.
   *
   * @throws IllegalArgumentException naming a fault
   */
  static void requireAdded(byte[] before, byte[] signed) {
    CrossReferences now = of(signed);
    now.requireFound();
    List<Long> earlier = of(before).sections;
    int added = now.sections.size() - earlier.size();
    if (added < 1 || !now.sections.subList(added, now.sections.size()).equals(earlier)) {
      throw new IllegalArgumentException("signed, its earlier revisions could not be found");
    }
    if (!now.isSizeRight) {
      throw new IllegalArgumentException("signed, it would state a wrong number of objects");
    }
  }

  private static boolean isObject(byte[] pdf, long number, Entry entry) {
    try {
      PdfCursor cursor = new PdfCursor(pdf, entry.place());
      return cursor.integer() == number && cursor.integer() == entry.detail() && cursor.skip("obj");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isInFile(@Nullable Entry stream) {
    return stream != null && stream.type() == 1;
  }
}
