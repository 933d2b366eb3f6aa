package org.keywell.signing.caller;

/** What identifies a caller at one of the ways in. Equal values are the same name. */
sealed interface CallerName permits CertificateName, CallerName.BrokerUser {

  /** Returns the field of the callers file that states it. */
  String field();

  /** The user as whom it sends to a message broker, compared character by character. */
  record BrokerUser(String user) implements CallerName {

    @Override
    public String field() {
      return "broker-user";
    }
  }
}
