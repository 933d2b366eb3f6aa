package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogKeys;
import org.keywell.cli.log.ServedLog;
import org.keywell.client.KeywellClient;
import org.keywell.client.ServiceProblemException;
import org.keywell.dss.LogProofs;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TlogProof;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the proof that a signature is in the service's log, and how to get it. */
final class ProofOptions {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A proof has at most 63 hashes, an entry and a checkpoint with some signatures. */
  static final long BYTES = 64 << 10;

  @Option(
      names = "--proof",
      description =
          "Also get the proof that the signature is in the service's log, verify it, and write it to"
              + " RESULT.tlog-proof.")
  private boolean proof;

  @Mixin private final LogKeyOption logKey = new LogKeyOption();

  boolean wanted() {
    return proof;
  }

  /** Returns what is wrong with the options, in words for the user; null if nothing is. */
  @Nullable String mistake() {
    return logKey.isGiven() && !proof ? "--log-key goes with --proof" : null;
  }

  /** Returns where the proof goes; nowhere if none is wanted. */
  List<Path> targets(Path result) {
    return proof ? List.of(result.resolveSibling(result.getFileName() + ".tlog-proof")) : List.of();
  }

  /**
   * Returns the keys of the service's log, which has a checkpoint that they verify.
   *
   * @throws CommandFailedException if there is no such log
   */
  LogKeys keys(KeywellClient client, String url, PrintWriter out)
      throws IOException, CommandFailedException {
    LogCopy log = new ServedLog(client, url);
    try {
      LogKeys keys = logKey.keys(log, out);
      keys.verified(SignedNote.parse(log.checkpoint()));
      return keys;
    } catch (LogFormatException e) {
      throw new CommandFailedException(e.getMessage() + "; nothing was signed", e);
    }
  }

  /**
   * Returns the proof, verified.
   *
   * @throws CommandFailedException if there is none in time, or it does not hold
   */
  static byte[] fetch(KeywellClient client, Signing.Done done, LogKeys keys, PrintWriter out)
      throws IOException, InterruptedException, CommandFailedException {
    out.println();
    out.println("Waiting until the log has the signature");
    out.flush();
    try {
      byte[] proof = client.logProof(done.requestId(), PATIENCE);
      TlogProof read = TlogProof.parse(proof);
      Checkpoint tree =
          LogProofs.verify(read, keys.keys(), done.requestId(), done.digests(), done.certificate());
      out.println(
          "  entry      %d of %d in %s".formatted(read.index(), tree.size(), tree.origin()));
      return proof;
    } catch (ServiceProblemException e) {
      throw new CommandFailedException(
          "request %s was signed, but the log gives no proof: %s"
              .formatted(done.requestId(), e.problem().summary()),
          e);
    } catch (LogFormatException e) {
      throw new CommandFailedException(
          "request %s was signed, but the log's proof does not hold: %s"
              .formatted(done.requestId(), e.getMessage()),
          e);
    }
  }
}
