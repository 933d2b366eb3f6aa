package org.keywell.dss;

/** The AdES formats and their packagings: how a signature is combined with its content. */
public enum DocumentFormat {
  /** Within a PDF (ETSI EN 319 142-1). */
  PADES(".pdf"),
  /** Within the XML document that it signs (ETSI EN 319 132-1). */
  XADES_ENVELOPED(".xml"),
  /** XML with the content inside the signature, in base64. */
  XADES_ENVELOPING(".xml"),
  /** XML separate from the content, which it refers to by name. */
  XADES_DETACHED(".xml"),
  /** CMS that contains the content (ETSI EN 319 122-1). */
  CADES(".p7m"),
  /** CMS separate from the content. */
  CADES_DETACHED(".p7s"),
  /** A JWS in flattened JSON, with the content as its payload (ETSI TS 119 182-1). */
  JADES(".json"),
  /** A ZIP container of files with one XAdES signature over all of them (ETSI EN 319 162-1). */
  ASICE_XADES(".asice"),
  /** A ZIP container of files with one CAdES signature over all of them (ETSI EN 319 162-1). */
  ASICE_CADES(".asice");

  private final String extension;

  DocumentFormat(String extension) {
    this.extension = extension;
  }

  /** Whether a verifier needs the content in addition to the signature. */
  public boolean detached() {
    return this == XADES_DETACHED || this == CADES_DETACHED;
  }

  /** Whether it is a container, which holds several files under one signature. */
  public boolean container() {
    return this == ASICE_XADES || this == ASICE_CADES;
  }

  /** Returns a name for the signed form of a document, such as {@code a-signed.pdf}. */
  public String signedName(String name) {
    int dot = name.lastIndexOf('.');
    return (dot > 0 ? name.substring(0, dot) : name) + "-signed" + extension;
  }
}
