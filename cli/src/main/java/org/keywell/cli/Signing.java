package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.keywell.client.KeywellClient;

/** One way to get a file signed: what it makes, and how. */
interface Signing {

  /** Names of the results, the most important last. */
  List<String> names(Path file);

  /** About how long each result is, in bytes. */
  long expectedBytes(Path file) throws IOException;

  /** Has the file signed; it is asked for once all that can be known beforehand is known. */
  Done sign(KeywellClient client, Path file)
      throws IOException, InterruptedException, CommandFailedException;

  /** What came of it. */
  interface Done {

    String requestId();

    /** As {@link Signing#names} has them. */
    List<byte[]> results();

    /** Lines of NAME=VALUE, for scripts. */
    String summary(List<Path> written);

    /** Shows what was done, and where its time went. */
    void report(PrintWriter out, List<Path> written);

    /**
     * Checks what was written, where that is a matter of its own.
     *
     * @throws CommandFailedException if it does not hold
     */
    void verify(PrintWriter out) throws CommandFailedException, IOException;
  }
}
