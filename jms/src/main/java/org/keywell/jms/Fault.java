package org.keywell.jms;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.keywell.protection.ProtectionException;

/** Why a message is no request of a caller, so that it goes to the dead-letter queue. */
enum Fault {
  /** The broker names no sender, or one that is no caller; or the signer is none. */
  CALLER_UNKNOWN,
  /** The signer's certificate is expired, revoked, or of no trusted authority. */
  CERTIFICATE_REFUSED,
  /** The caller may not send to this queue. */
  CALLER_NOT_ALLOWED,
  /** It is protected for another queue. */
  WRONG_QUEUE,
  /** No protected message. */
  NOT_PROTECTED,
  /** Protected in another way than the queue demands: its signature is missing, for example. */
  WRONG_QUALITY,
  /** Protected, and not in the one form that is accepted. */
  MALFORMED,
  /** Encrypted for another receiver. */
  WRONG_RECIPIENT,
  /** Not to be decrypted, for whatever reason. */
  DECRYPTION_FAILED,
  SIGNATURE_INVALID,
  ALGORITHM_NOT_ALLOWED,
  /** The signer's key is too weak, or not for signatures. */
  KEY_WRONG,
  /** Its sender wrote it before the queue's window. */
  TOO_OLD,
  /** Its sender wrote it in the future. */
  TOO_FAR_AHEAD,
  /** A copy of a message that was taken. */
  REPLAYED,
  /** Its answer is to be encrypted, and there is no certificate for that. */
  RECIPIENT_MISSING,
  /** It says nowhere to answer to. */
  REPLY_MISSING,
  /** It names a queue to answer to that is not its sender's. */
  REPLY_NOT_ALLOWED,
  /** Neither text nor bytes. */
  WRONG_TYPE,
  BODY_TOO_LARGE,
  MALFORMED_JSON,
  /** The process ended repeatedly while it worked on it. */
  PROCESS_ENDED,
  /** Its answer found no queue, or may not be sent there. */
  REPLY_FAILED,
  /** Working on it failed repeatedly, by a defect. */
  INTERNAL;

  /** Returns the name in messages and logs, such as {@code caller-unknown}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns why a message that is not protected as it has to be is moved. */
  static Fault of(ProtectionException.Fault fault) {
    return switch (fault) {
      case NOT_PROTECTED -> NOT_PROTECTED;
      case WRONG_QUALITY -> WRONG_QUALITY;
      case MALFORMED -> MALFORMED;
      case TOO_LARGE -> BODY_TOO_LARGE;
      case WRONG_RECIPIENT -> WRONG_RECIPIENT;
      case DECRYPTION_FAILED -> DECRYPTION_FAILED;
      case SIGNATURE_INVALID -> SIGNATURE_INVALID;
      case ALGORITHM_NOT_ALLOWED -> ALGORITHM_NOT_ALLOWED;
      case KEY_WRONG -> KEY_WRONG;
    };
  }

  /** Returns all names. */
  static List<String> labels() {
    return Stream.of(values()).map(Fault::label).toList();
  }
}
