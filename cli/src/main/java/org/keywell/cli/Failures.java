package org.keywell.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.keywell.tlog.LogFormatException;

/** Turns exceptions into sentences for people who do not read stack traces. */
final class Failures {

  private Failures() {}

  static String explain(Throwable failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case CommandFailedException e -> String.valueOf(e.getMessage());
      case NoSuchFileException e -> "there is no file " + e.getFile();
      case AccessDeniedException e -> "no permission for " + e.getFile();
      case FileAlreadyExistsException e -> e.getFile() + " exists already";
      case InterruptedException _ -> "interrupted";
      case LogFormatException _ when message != null -> message;
      case IOException _ when message != null -> message;
      default -> failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    };
  }
}
