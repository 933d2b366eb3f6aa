package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.client.Problem;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResult;
import org.keywell.client.SignatureCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Gets a file signed. The file itself stays here: only its digest is sent. */
@Command(
    name = "sign",
    description = {
      "Signs a file with a one-time key of the service.",
      "Sends the file's digest, writes the raw signature to FILE.sig and the certificates to"
          + " FILE.chain.pem, and shows where the time went."
    },
    sortOptions = false)
final class SignCommand implements Callable<Integer> {
  private static final List<String> KEY_SPECS =
      List.of("RSA-2048", "RSA-3072", "RSA-4096", "EC-P256", "EC-P384");
  private static final List<String> SIGNATURE_ALGORITHMS =
      List.of("RSASSA-PKCS1-v1_5", "RSASSA-PSS", "ECDSA");

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "FILE", description = "The file to sign.")
  private Path file = Path.of("");

  @Option(
      names = "--digest",
      paramLabel = "NAME",
      defaultValue = "SHA-256",
      converter = DigestConverter.class,
      description = "SHA-256 (default), SHA-384 or SHA-512.")
  private Digest digest = Digest.SHA_256;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      converter = KeySpecConverter.class,
      description =
          "The one-time key: RSA-2048, RSA-3072, RSA-4096, EC-P256 or EC-P384; default: the"
              + " service's.")
  private @Nullable String keySpec;

  @Option(
      names = "--signature-algorithm",
      paramLabel = "NAME",
      converter = SignatureAlgorithmConverter.class,
      description = "RSASSA-PKCS1-v1_5, RSASSA-PSS or ECDSA; default: the service's for the key.")
  private @Nullable String signatureAlgorithm;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The certificate's profile, such as short-lived; default: the service's.")
  private @Nullable String profile;

  @Mixin private final SignerOptions signer = new SignerOptions();

  @Option(
      names = "--deadline",
      paramLabel = "MILLIS",
      description = "The answer is of no use to you after that many milliseconds.")
  private @Nullable Long deadlineMillis;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write the results; default: beside FILE.")
  private @Nullable Path outDir;

  @Option(names = "--force", description = "Replace an earlier signature of the same file.")
  private boolean force;

  @Option(names = "--pool", description = "Also show the pool's depth before and after.")
  private boolean showPool;

  @Option(
      names = "--summary",
      paramLabel = "PATH",
      description = "Also write what was done as lines of NAME=VALUE, for scripts.")
  private @Nullable Path summary;

  /** The answer, with what was seen of the pool around it. */
  private record Outcome(
      SignResult result, @Nullable PoolStatus before, @Nullable PoolStatus after) {}

  @Override
  public Integer call() throws Exception {
    rejectUnusableArguments();
    SignedFile outputs = SignedFile.of(file, outDir);
    if (!force) {
      outputs.requireAbsent();
    }
    Outcome outcome = ServiceCall.to(server, requestTimeout(), this::sign);
    return switch (outcome.result()) {
      case SignResult.Signed(SignResponse response, _, Duration roundTrip) -> {
        keep(response, outputs);
        report(response, roundTrip, outputs, outcome);
        yield 0;
      }
      case SignResult.Refused(Problem problem, Duration _) ->
          throw new CommandFailedException("the service did not sign: " + problem.summary());
    };
  }

  private void rejectUnusableArguments() {
    if (!Files.isRegularFile(file)) {
      throw misuse(Files.exists(file) ? file + " is no file" : "there is no file " + file);
    }
    if (outDir != null && !Files.isDirectory(outDir)) {
      throw misuse("--out: there is no directory " + outDir);
    }
    if (deadlineMillis != null && deadlineMillis < 1) {
      throw misuse("--deadline must be 1 or more milliseconds");
    }
  }

  private Outcome sign(KeywellClient client) throws IOException, InterruptedException {
    PoolStatus before = showPool ? client.pool() : null;
    SignRequest request =
        new SignRequest(
            UUID.randomUUID().toString(),
            digest.label(),
            digest.of(file),
            signatureAlgorithm,
            keySpec,
            profile,
            signer.signer(),
            deadlineMillis);
    SignResult result = client.sign(request);
    PoolStatus after = showPool ? client.pool() : null;
    return new Outcome(result, before, after);
  }

  /** Writes the results, but only ones that hold: a bad signature must not look like a good one. */
  private void keep(SignResponse response, SignedFile outputs)
      throws IOException, CommandFailedException {
    if (response.certificateChain().isEmpty()) {
      throw new CommandFailedException("the service's answer has no certificate");
    }
    if (!SignatureCheck.verifies(file, digest, response)) {
      throw new CommandFailedException(
          "the signature does not fit " + file + "; did the file change meanwhile?");
    }
    outputs.write(response.signature(), Pem.certificates(response.certificateChain()));
    if (summary != null) {
      Files.writeString(summary, summaryOf(response, outputs));
    }
  }

  private String summaryOf(SignResponse response, SignedFile outputs) {
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
            outputs.signature().toAbsolutePath(),
            outputs.chain().toAbsolutePath());
  }

  private void report(
      SignResponse response, Duration roundTrip, SignedFile outputs, Outcome outcome) {
    PrintWriter out = commandSpec().commandLine().getOut();
    out.println("Signed " + file);
    out.println("  signature  " + outputs.signature());
    out.println("  chain      " + outputs.chain());
    out.println("  algorithm  " + response.signatureAlgorithm() + " with " + digest);
    out.println(
        "  key        "
            + (response.preGeneratedKeyPair() ? "made ahead of time" : "made for this request"));
    out.println("  request    " + response.requestId());
    out.println();
    StageTable.print(out, response, roundTrip);
    if (outcome.before() != null && outcome.after() != null) {
      out.println();
      PoolTable.printChange(out, outcome.before(), outcome.after());
    }
    out.flush();
  }

  /** A deadline that the request has bounds the wait for its answer, too. */
  private Duration requestTimeout() {
    Duration usual = Duration.ofSeconds(60);
    return deadlineMillis == null ? usual : usual.plusMillis(deadlineMillis);
  }

  private CommandSpec commandSpec() {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    return spec;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(commandSpec().commandLine(), message);
  }

  static final class DigestConverter implements ITypeConverter<Digest> {
    @Override
    public Digest convert(String label) {
      for (Digest digest : Digest.values()) {
        if (digest.label().equals(label)) {
          return digest;
        }
      }
      throw new TypeConversionException("'" + label + "' is none of " + List.of(Digest.values()));
    }
  }

  static final class KeySpecConverter implements ITypeConverter<String> {
    @Override
    public String convert(String label) {
      return oneOf(KEY_SPECS, label);
    }
  }

  static final class SignatureAlgorithmConverter implements ITypeConverter<String> {
    @Override
    public String convert(String label) {
      return oneOf(SIGNATURE_ALGORITHMS, label);
    }
  }

  private static String oneOf(List<String> known, String label) {
    if (!known.contains(label)) {
      throw new TypeConversionException("'" + label + "' is none of " + known);
    }
    return label;
  }
}
