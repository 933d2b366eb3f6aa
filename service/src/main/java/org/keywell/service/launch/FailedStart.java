package org.keywell.service.launch;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.token.CaTokenException;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.PassingFailure;
import org.keywell.signing.hsm.enrol.FingerprintMismatchException;
import org.keywell.signing.start.EndSignal.StartAbandonedException;
import org.keywell.signing.start.NotThereYetException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.web.server.PortInUseException;

/** Finds the one line that tells an operator why a command failed. */
final class FailedStart {

  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;
  static final int NOT_THERE_YET = 4;

  private FailedStart() {}

  /** Prints the line, unless a signal ended the start, and returns the exit code. */
  static int report(Throwable failure, PrintStream out) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StartAbandonedException) {
        // The sender of the signal knows; the exit code is the signal's.
        return FAILED;
      }
      Optional<String> reason = reason(t);
      if (reason.isPresent()) {
        out.println("keywell: " + reason.get());
        return exitCode(failure, t);
      }
    }
    out.println("keywell: " + rootOf(failure));
    return PassingFailure.isIn(failure) ? NOT_THERE_YET : FAILED;
  }

  /** Returns the line, without its prefix. */
  static String line(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      Optional<String> reason = reason(t);
      if (reason.isPresent()) {
        return reason.get();
      }
    }
    return rootOf(failure);
  }

  private static int exitCode(Throwable failure, Throwable named) {
    if (PassingFailure.isIn(failure)) {
      return NOT_THERE_YET;
    }
    return named instanceof FingerprintMismatchException ? FAILED : WRONG_USE;
  }

  private static Optional<String> reason(Throwable t) {
    return switch (t) {
      case StartRefusedException refused -> Optional.of(oneLine(refused));
      case NotThereYetException missing -> Optional.of(oneLine(missing));
      case FingerprintMismatchException mismatch -> Optional.of(oneLine(mismatch));
      case HsmException hsm when hsm.reason() == HsmException.Reason.NOT_BOOTSTRAPPED ->
          Optional.of(oneLine(hsm) + "; the command bootstrap makes what is missing");
      case HsmException hsm -> Optional.of(oneLine(hsm));
      case StoreException store -> Optional.of(oneLine(store));
      case CaTokenException ca -> Optional.of(oneLine(ca));
      case IssuingKeyException key -> Optional.of(oneLine(key));
      case PortInUseException port ->
          Optional.of(
              "port "
                  + port.getPort()
                  + " is in use; choose another: SERVER_PORT or --port, for health and metrics"
                  + " MANAGEMENT_SERVER_PORT");
      case UnboundConfigurationPropertiesException unknown ->
          Optional.of(
              "unknown configuration: "
                  + unknown.getUnboundProperties().stream()
                      .map(property -> property.getName() + " (" + property.getOrigin() + ")")
                      .toList());
      case BindException bind when bind.getProperty() != null -> Optional.of(badValue(bind));
      case IllegalArgumentException invalid when invalid.getCause() == null ->
          Optional.of(oneLine(invalid));
      default -> Optional.empty();
    };
  }

  /** Describes an unconvertible value; a refused one has its own message. */
  private static String badValue(BindException bind) {
    ConfigurationProperty property = Objects.requireNonNull(bind.getProperty());
    Class<?> type = bind.getTarget().getType().resolve(Object.class);
    String expected =
        type.isEnum()
            ? Stream.of(type.getEnumConstants())
                .map(value -> value.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", ", "one of ", ""))
            : "a value of type " + type.getSimpleName();
    // The value is not shown: it may be a misplaced secret.
    return "%s: expected %s (%s)".formatted(property.getName(), expected, property.getOrigin());
  }

  private static String rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + oneLine(root);
  }

  private static String oneLine(Throwable t) {
    return String.valueOf(t.getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }
}
