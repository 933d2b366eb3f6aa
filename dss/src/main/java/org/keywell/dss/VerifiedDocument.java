package org.keywell.dss;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DSS's verdict on a document's signatures.
 *
 * @param unreadable why it is not a signed document; null if it could be read
 * @param hint of what readers may make of it; null if there is nothing to say
 */
public record VerifiedDocument(
    List<VerifiedSignature> signatures, @Nullable String unreadable, @Nullable String hint) {

  public VerifiedDocument {
    signatures = List.copyOf(signatures);
  }

  /** Whether the document has signatures and all of them passed. */
  public boolean passed() {
    return !signatures.isEmpty() && signatures.stream().allMatch(VerifiedSignature::passed);
  }
}
