package org.keywell.dss;

import java.util.List;

/** What DSS says of a document's signatures. */
public record VerifiedDocument(List<VerifiedSignature> signatures) {

  public VerifiedDocument {
    signatures = List.copyOf(signatures);
  }

  /** Whether there are signatures, and all of them passed. */
  public boolean passed() {
    return !signatures.isEmpty() && signatures.stream().allMatch(VerifiedSignature::passed);
  }
}
