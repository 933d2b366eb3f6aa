package org.keywell.dss;

/**
 * Everything was signed and time-stamped, but could not be extended to level LT or LTA. By then the
 * key has signed and cannot sign again; this exception holds the documents at level T, which {@link
 * DocumentExtender} may still extend later.
 */
public final class ExtensionMissingException extends DocumentSigningException {
  private static final long serialVersionUID = 1L;

  private final transient SignedDocuments atLevelT;

  ExtensionMissingException(SignedDocuments atLevelT, DocumentExtensionException cause) {
    super(String.valueOf(cause.getMessage()), cause);
    this.atLevelT = atLevelT;
  }

  public SignedDocuments atLevelT() {
    return atLevelT;
  }
}
