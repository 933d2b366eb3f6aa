package org.keywell.dss;

import eu.europa.esig.dss.enumerations.JWSSerializationType;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.jades.JAdESSignatureParameters;
import eu.europa.esig.dss.jades.JWSCompactSerializationParser;
import eu.europa.esig.dss.jades.JWSJsonSerializationParser;
import eu.europa.esig.dss.model.DSSDocument;

/**
 * Content for a JSON Web Signature, or one that is to get a further signature.
 *
 * @param isSigned whether it is a JSON Web Signature, in one of the JSON serializations
 */
record JsonToSign(DSSDocument content, boolean isSigned) {

  /**
   * Reads the document.
   *
   * @throws IllegalArgumentException if it takes no signature
   */
  static JsonToSign of(Document document) {
    if (document.content().length == 0) {
      throw new IllegalArgumentException("it is empty, and a JSON Web Signature needs content");
    }
    DSSDocument content = DocumentFormats.dssDocument(document);
    if (new JWSCompactSerializationParser(content).isSupported()) {
      throw new IllegalArgumentException(
          "it is a JSON Web Signature in the compact serialization, which has one signature only:"
              + " only the JSON serializations take further ones");
    }
    JWSJsonSerializationParser json = new JWSJsonSerializationParser(content);
    return new JsonToSign(content, json.isSupported() && !json.parse().getSignatures().isEmpty());
  }

  /** Returns fresh parameters: the first signature is flattened, further ones are in a list. */
  JAdESSignatureParameters parameters() {
    JAdESSignatureParameters parameters = new JAdESSignatureParameters();
    parameters.setSignaturePackaging(SignaturePackaging.ENVELOPING);
    // The compact serialization cannot hold a time stamp.
    parameters.setJwsSerializationType(
        isSigned
            ? JWSSerializationType.JSON_SERIALIZATION
            : JWSSerializationType.FLATTENED_JSON_SERIALIZATION);
    return parameters;
  }
}
