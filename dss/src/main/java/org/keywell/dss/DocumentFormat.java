package org.keywell.dss;

/** How a signature goes with what it signs: the AdES formats and their packagings. */
public enum DocumentFormat {
  /** Within a PDF (ETSI EN 319 142-1). */
  PADES(".pdf"),
  /** Within the XML document that it signs (ETSI EN 319 132-1). */
  XADES_ENVELOPED(".xml"),
  /** XML that has the content within the signature, in base64. */
  XADES_ENVELOPING(".xml"),
  /** XML besides the content, which it refers to by name. */
  XADES_DETACHED(".xml"),
  /** CMS with the content within (ETSI EN 319 122-1). */
  CADES(".p7m"),
  /** CMS besides the content. */
  CADES_DETACHED(".p7s"),
  /** A JWS in flattened JSON, with the content as its payload (ETSI TS 119 182-1). */
  JADES(".json"),
  /** A ZIP container of files and a XAdES signature over them all (ETSI EN 319 162-1). */
  ASICE_XADES(".asice"),
  /** A ZIP container of files and a CAdES signature over them all (ETSI EN 319 162-1). */
  ASICE_CADES(".asice");

  private final String extension;

  DocumentFormat(String extension) {
    this.extension = extension;
  }

  /** Whether a verifier needs the content besides what is signed. */
  public boolean detached() {
    return this == XADES_DETACHED || this == CADES_DETACHED;
  }

  /** Whether it is a container, which takes several files under one signature. */
  public boolean container() {
    return this == ASICE_XADES || this == ASICE_CADES;
  }

  /** What the signed form of a document of this name is called, such as {@code a-signed.pdf}. */
  public String signedName(String name) {
    int dot = name.lastIndexOf('.');
    return (dot > 0 ? name.substring(0, dot) : name) + "-signed" + extension;
  }
}
