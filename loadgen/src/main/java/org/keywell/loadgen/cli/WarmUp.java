package org.keywell.loadgen.cli;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.drive.ClosedLoopDriver;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.Sample;

/**
 * Requests before a run, one after the other: a service that has just started takes its first ones
 * slowly, which says nothing about it.
 */
final class WarmUp {
  private static final int MOST = 10_000;

  private WarmUp() {}

  static void check(int requests) throws MisuseException {
    if (requests < 0 || requests > MOST) {
      throw new MisuseException("--warm-up is 0 to " + MOST);
    }
  }

  /**
   * Sends them.
   *
   * @throws IOException if none of them is signed, so that there is nothing to measure
   */
  static void run(KeywellClient client, RequestForm form, int requests, Interruption interruption)
      throws IOException, InterruptedException {
    if (requests == 0) {
      return;
    }
    NumberedContent content = new NumberedContent(new SecureRandom().nextLong());
    ClosedLoopDriver loop =
        new ClosedLoopDriver(form.part("warm-up").to(client, content), System::nanoTime);
    interruption.stops(loop::stop);
    List<Sample> samples = loop.run(requests, 1);
    if (!interruption.hasCome() && samples.stream().noneMatch(Sample::isSigned)) {
      throw new IOException(
          "not one of %d requests before the run was signed: %s"
              .formatted(requests, samples.getFirst().outcome().problem()));
    }
  }
}
