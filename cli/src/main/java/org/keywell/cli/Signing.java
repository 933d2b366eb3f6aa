package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.keywell.client.KeywellClient;

/** A way to sign a file: its results, and how to get them. */
interface Signing {

  /** Returns the names of the results, the most important last. */
  List<String> names(Path file);

  /** Returns each result's approximate length, in bytes. */
  long expectedBytes(Path file) throws IOException;

  /** Has the file signed; checks what it can before it asks the service. */
  Done sign(KeywellClient client, Path file)
      throws IOException, InterruptedException, CommandFailedException;

  /** The outcome. */
  interface Done {

    String requestId();

    /** Returns what the service was sent to sign. */
    List<byte[]> digests() throws IOException;

    /** Returns the one-time key's, DER. */
    byte[] certificate();

    /** Returns the contents, in the order of {@link Signing#names}. */
    List<byte[]> results();

    /** Returns lines of NAME=VALUE, for scripts. */
    String summary(List<Path> written);

    /** Shows what was done and how long it took. */
    void report(PrintWriter out, List<Path> written);

    /**
     * Verifies what was written, unless already done.
     *
     * @throws CommandFailedException if it is not valid
     */
    void verify(PrintWriter out) throws CommandFailedException, IOException;
  }
}
