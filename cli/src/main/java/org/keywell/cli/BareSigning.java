package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.Problem;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResult;
import org.keywell.client.SignatureCheck;

/** Produces a raw signature over the file's digest, and the certificates next to it. */
final class BareSigning implements Signing {
  private static final long BYTES = 64 << 10;

  private final KeyOptions key;
  private final SignerOptions signer;
  private final String requestId;

  BareSigning(KeyOptions key, SignerOptions signer, String requestId) {
    this.key = key;
    this.signer = signer;
    this.requestId = requestId;
  }

  @Override
  public List<String> names(Path file) {
    return List.of(file.getFileName() + ".chain.pem", file.getFileName() + ".sig");
  }

  @Override
  public long expectedBytes(Path file) {
    return BYTES;
  }

  @Override
  public Done sign(KeywellClient client, Path file)
      throws IOException, InterruptedException, CommandFailedException {
    SignRequest request =
        new SignRequest(
            requestId,
            key.digest().label(),
            key.digest().of(file),
            key.signatureAlgorithm(),
            key.keySpec(),
            key.profile(),
            signer.signer(),
            key.deadlineMillis());
    return switch (client.sign(request)) {
      case SignResult.Signed(SignResponse response, _, Duration roundTrip) -> {
        requireGood(file, key.digest(), response);
        yield new Bare(file, key.digest(), response, roundTrip);
      }
      case SignResult.Refused(Problem problem, _) ->
          throw new CommandFailedException("the service did not sign: " + problem.summary());
    };
  }

  /** Prevents a bad signature from passing for a good one. */
  private static void requireGood(Path file, Digest digest, SignResponse response)
      throws IOException, CommandFailedException {
    if (response.certificateChain().isEmpty()) {
      throw new CommandFailedException("the service's answer has no certificate");
    }
    if (!SignatureCheck.verifies(file, digest, response)) {
      throw new CommandFailedException(
          "the signature does not fit " + file + "; did the file change meanwhile?");
    }
  }

  private record Bare(Path file, Digest digest, SignResponse response, Duration roundTrip)
      implements Done {

    @Override
    public String requestId() {
      return response.requestId();
    }

    @Override
    public List<byte[]> digests() throws IOException {
      return List.of(digest.of(file));
    }

    @Override
    public byte[] certificate() {
      return response.certificateChain().getFirst();
    }

    @Override
    public List<byte[]> results() {
      return List.of(
          Pem.certificates(response.certificateChain()).getBytes(StandardCharsets.US_ASCII),
          response.signature());
    }

    @Override
    public String summary(List<Path> written) {
      return """
      REQUEST_ID=%s
      FILE=%s
      DIGEST=%s
      SIGNATURE_ALGORITHM=%s
      SIGNATURE_FILE=%s
      CHAIN_FILE=%s
      """
          .formatted(
              response.requestId(),
              file.toAbsolutePath(),
              digest.label(),
              response.signatureAlgorithm(),
              written.get(1).toAbsolutePath(),
              written.get(0).toAbsolutePath());
    }

    @Override
    public void report(PrintWriter out, List<Path> written) {
      out.println("Signed " + file);
      out.println("  signature  " + written.get(1));
      out.println("  chain      " + written.get(0));
      KeyLines.print(
          out,
          response.requestId(),
          response.signatureAlgorithm() + " with " + digest,
          response.preGeneratedKeyPair());
      out.println();
      StageTable.print(out, response, roundTrip);
    }

    @Override
    public void verify(PrintWriter out) {
      // Verified before it was written.
    }
  }
}
