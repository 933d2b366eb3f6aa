package org.keywell.signing.hsm;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.token.CaTokenException;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.LoginHistory;
import org.keywell.keypool.hsm.pkcs11.ReturnValue;
import org.keywell.signing.database.MissingDatabase;
import org.keywell.signing.start.NotThereYetException;

/**
 * Tells failures of an HSM or of PostgreSQL that may pass, so that another attempt may succeed,
 * from those that last until a person changes something, such as a wrong PIN.
 */
public final class PassingFailure {

  /** Values by which a token refuses what its objects, or its state, do not allow. */
  private static final Set<ReturnValue> LASTING =
      EnumSet.of(
          ReturnValue.CKR_ARGUMENTS_BAD,
          ReturnValue.CKR_ATTRIBUTE_READ_ONLY,
          ReturnValue.CKR_ATTRIBUTE_SENSITIVE,
          ReturnValue.CKR_ACTION_PROHIBITED,
          ReturnValue.CKR_KEY_TYPE_INCONSISTENT,
          ReturnValue.CKR_KEY_FUNCTION_NOT_PERMITTED,
          ReturnValue.CKR_KEY_NOT_WRAPPABLE,
          ReturnValue.CKR_KEY_UNEXTRACTABLE,
          ReturnValue.CKR_SESSION_READ_ONLY,
          ReturnValue.CKR_TOKEN_WRITE_PROTECTED);

  private PassingFailure() {}

  /**
   * Whether a failure may pass, by the first in its chain of causes that says so or not. A refused
   * PIN does not pass.
   */
  public static boolean isIn(Throwable failure) {
    boolean passing = false;
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      switch (t) {
        case NotThereYetException _ -> {
          return true;
        }
        case HsmException hsm -> {
          return isOf(hsm);
        }
        case SQLException sql when sql.getSQLState() != null -> {
          return MissingDatabase.isPassing(sql.getSQLState());
        }
        // Of the connection pool; what it wraps may know better.
        case SQLTransientException _ -> passing = true;
        default -> {}
      }
    }
    return passing;
  }

  /**
   * Whether what failed may be tried again from the beginning: it may pass, and no token has
   * refused a PIN, which another attempt would give it again.
   */
  public static boolean allowsRepetition(Throwable failure) {
    return isIn(failure) && !LoginHistory.hasRefusal();
  }

  /** Whether a token seems to lack something that a person or the bootstrap has to make. */
  public static boolean isLack(Throwable failure) {
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof HsmException hsm) {
        return hsm.reason() == HsmException.Reason.NOT_BOOTSTRAPPED;
      }
      if (t instanceof CaTokenException ca) {
        return ca.reason() == CaTokenException.Reason.NOT_BOOTSTRAPPED;
      }
    }
    return false;
  }

  /** Whether a device's failure may pass. */
  public static boolean isOf(HsmException failure) {
    return switch (failure.reason()) {
      // A module that cannot be loaded returned nothing.
      case UNAVAILABLE -> failure.returnValue() != -1;
      case SESSION_LOST,
          KEY_GONE,
          WRAPPED_KEY_INVALID,
          DATA_INVALID,
          EXHAUSTED,
          FULL,
          INTERRUPTED ->
          true;
      case FAILED -> ReturnValue.of(failure.returnValue()).filter(LASTING::contains).isEmpty();
      case LOGIN_REFUSED, UNSUPPORTED, NOT_BOOTSTRAPPED -> false;
    };
  }
}
