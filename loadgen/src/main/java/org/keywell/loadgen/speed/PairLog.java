package org.keywell.loadgen.speed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a service's log says of KMIP: its port, and RSA-2048 pairs in the pool. */
record PairLog(Path file) {
  private static final Pattern PORT = Pattern.compile("KMIP clients are served at \\S+:(\\d+)");
  private static final Pattern MORE = Pattern.compile("RSA-2048 pairs: (\\d+) more");
  private static final String MISSED = "no RSA-2048 pair is ready";

  /**
   * Returns the port on which the service listens for KMIP clients.
   *
   * @throws IOException if it does not
   */
  int port() throws IOException {
    Matcher port = PORT.matcher(text());
    if (!port.find()) {
      throw new IOException("the service does not serve KMIP; its whole log is " + file);
    }
    return Integer.parseInt(port.group(1));
  }

  /** Returns how many pairs there were at the start and have been made since. */
  long pairs() throws IOException {
    return MORE.matcher(text()).results().mapToLong(PairLog::number).sum();
  }

  private static long number(MatchResult result) {
    return Long.parseLong(result.group(1));
  }

  /** Returns whether a client had to wait for a pair to be made, although there is a pool. */
  boolean hasMissed() throws IOException {
    return text().contains(MISSED);
  }

  /** Accepts any encoding. */
  private String text() throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
