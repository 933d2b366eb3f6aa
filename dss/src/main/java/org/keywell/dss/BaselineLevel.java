package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import java.util.Arrays;
import java.util.Optional;

/** The baseline levels of AdES signatures (ETSI EN 319 102-1): each contains the one before it. */
public enum BaselineLevel {
  /** The signature. */
  B,
  /** A time stamp over the signature. */
  T,
  /** The certificates of signer and time stamp authority, and proof that none was revoked. */
  LT,
  /** A time stamp over all of that, which can be repeated. */
  LTA;

  SignatureLevel of(SignatureForm form) {
    return SignatureLevel.valueByName(form + "-BASELINE-" + this);
  }

  /** Returns the level of that name, such as {@code PAdES-BASELINE-B}; empty for other levels. */
  static Optional<BaselineLevel> named(String name) {
    return Arrays.stream(values()).filter(level -> name.endsWith("-BASELINE-" + level)).findFirst();
  }
}
