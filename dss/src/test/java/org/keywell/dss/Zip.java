package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads containers without DSS. */
final class Zip {
  private Zip() {}

  static Document entry(Document container, String name) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(container.content()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals(name)) {
          return new Document(name.substring(name.lastIndexOf('/') + 1), zip.readAllBytes());
        }
      }
    }
    throw new AssertionError(container + " has no " + name);
  }
}
