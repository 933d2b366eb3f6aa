package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.enumerations.SignatureLevel;

/** The baseline levels that need no revocation information. */
enum BaselineLevel {
  B,
  T;

  SignatureLevel of(SignatureForm form) {
    return SignatureLevel.valueByName(form + "-BASELINE-" + this);
  }
}
