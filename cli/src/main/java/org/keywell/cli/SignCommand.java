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
import org.keywell.cli.log.LogKeys;
import org.keywell.cli.log.OriginalReaders;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.client.ServiceProblemException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Has a file signed. The file itself stays here: only digests are sent. */
@Command(
    name = "sign",
    description = {
      "Signs a file with a one-time key of the service.",
      "",
      "Creates a signed document with EU DSS (--pades, --xades, --cades, --jades, --asice) and"
          + " verifies it. Without these options, writes the raw signature FILE.sig and the"
          + " certificates FILE.chain.pem.",
      "",
      "The file stays here: the service receives only digests. If the result could not be written,"
          + " nothing is requested. If writing fails in the end, the result is kept elsewhere.",
      "",
      "  sign contract.pdf --pades --visible     a PDF that shows who signed it",
      "  sign contract.pdf --pades --level lta   a PDF that can be verified for years",
      "  sign order.xml --xades                  XML with the signature inside",
      "  sign data.zip --cades --tsa URL         a detached CMS with a time stamp",
      "  sign notes.txt                          the raw signature",
      "  sign notes.txt --proof                  the raw signature, and the proof that it is logged",
      ""
    },
    sortOptions = false)
final class SignCommand implements Callable<Integer> {
  private static final Duration USUAL_TIME = Duration.ofSeconds(60);
  private static final Duration TIME_TO_REACH = Duration.ofSeconds(10);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "FILE", description = "The file to sign.")
  private Path file = Path.of("");

  @Mixin private final DocumentOptions document = new DocumentOptions();

  @Mixin private final KeyOptions key = new KeyOptions();

  @Mixin private final SignerOptions signer = new SignerOptions();

  @Mixin private final ProofOptions proof = new ProofOptions();

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
      names = "--warm-up",
      description =
          "Sign twice, keep and show the second: a process's first one is slow. Spends two keys.")
  private boolean warmUp;

  @Option(
      names = "--summary",
      paramLabel = "PATH",
      description = "Also write the outcome to PATH as NAME=VALUE lines, for scripts.")
  private @Nullable Path summary;

  /** What was done, with the pool's status before and after, if requested. */
  private record Outcome(
      Signing.Done done, @Nullable PoolStatus before, @Nullable PoolStatus after) {}

  @Override
  public Integer call() throws Exception {
    rejectUnusableArguments();
    String requestId = UUID.randomUUID().toString();
    Signing signing = signing(requestId);
    List<Path> targets =
        signing.names(file).stream().map(name -> ResultFiles.beside(file, outDir, name)).toList();
    List<Path> proofTargets = proof.targets(targets.getLast());
    if (!force) {
      requireAbsent(targets);
      requireAbsent(proofTargets);
    }
    // Request nothing if the result could not be stored.
    try (ResultFiles results = reserve(targets, signing.expectedBytes(file));
        ResultFiles proofFile = reserve(proofTargets, ProofOptions.BYTES)) {
      PrintWriter out = spec.commandLine().getOut();
      ServiceCall.to(server, TIME_TO_REACH, SignCommand::reach);
      LogKeys logKeys =
          proof.wanted()
              ? ServiceCall.to(
                  server, TIME_TO_REACH, client -> proof.keys(client, server.url(), out))
              : null;
      Outcome outcome =
          ServiceCall.untilDone(server, requestTime(), client -> sign(client, signing));
      keep(outcome.done(), results);
      outcome.done().report(out, targets);
      if (outcome.before() != null && outcome.after() != null) {
        out.println();
        PoolTable.printChange(out, outcome.before(), outcome.after());
      }
      outcome.done().verify(out);
      if (logKeys != null) {
        keepProof(outcome.done(), logKeys, proofFile, out);
      }
      out.flush();
    }
    return 0;
  }

  private void keepProof(Signing.Done done, LogKeys logKeys, ResultFiles proofFile, PrintWriter out)
      throws IOException, InterruptedException, CommandFailedException {
    byte[] bytes =
        ServiceCall.untilDone(
            server, USUAL_TIME, client -> ProofOptions.fetch(client, done, logKeys, out));
    proofFile.write(List.of(bytes));
    out.println("  proof      " + proofFile.targets().getLast());
  }

  private Signing signing(String requestId) {
    DocumentOptions.Form form = document.form();
    return form == null
        ? new BareSigning(key, signer, requestId)
        : new DocumentSigning(form, document, key, signer, requestId);
  }

  private void rejectUnusableArguments() {
    String mistake = document.mistake() == null ? proof.mistake() : document.mistake();
    if (mistake != null) {
      throw misuse(mistake);
    }
    if (!Files.isRegularFile(file)) {
      throw misuse(Files.exists(file) ? file + " is no file" : "there is no file " + file);
    }
    if (outDir != null && !Files.isDirectory(outDir)) {
      throw misuse("--out: there is no directory " + outDir);
    }
    Long deadlineMillis = key.deadlineMillis();
    if (deadlineMillis != null && deadlineMillis < 1) {
      throw misuse("--deadline must be 1 or more milliseconds");
    }
  }

  private static void requireAbsent(List<Path> targets) throws CommandFailedException {
    for (Path path : targets) {
      if (Files.exists(path)) {
        throw new CommandFailedException(path + " exists already; --force replaces it");
      }
    }
  }

  private ResultFiles reserve(List<Path> targets, long bytes) {
    try {
      return ResultFiles.reserve(targets, file, bytes);
    } catch (IOException e) {
      throw misuse(
          "cannot write %s: %s; nothing was signed (--out DIR writes elsewhere)"
              .formatted(targets.getLast(), Failures.explain(e)));
    }
  }

  /** Fails at once if nobody is there; later calls are retried. */
  private static String reach(KeywellClient client) throws IOException, InterruptedException {
    try {
      return client.chainPem();
    } catch (ServiceProblemException e) {
      return ""; // somebody answered
    }
  }

  private Outcome sign(KeywellClient client, Signing signing)
      throws IOException, InterruptedException, CommandFailedException {
    if (warmUp) {
      signing(UUID.randomUUID().toString()).sign(client, file);
    }
    PoolStatus before = showPool ? client.pool() : null;
    Signing.Done done = signing.sign(client, file);
    PoolStatus after = showPool ? client.pool() : null;
    return new Outcome(done, before, after);
  }

  /** Keeps a signature that cannot be written to its intended place. */
  private void keep(Signing.Done done, ResultFiles results)
      throws IOException, CommandFailedException {
    try {
      results.write(done.results());
    } catch (IOException e) {
      throw new CommandFailedException(
          "request %s was signed, but %s cannot be written: %s; %s"
              .formatted(
                  done.requestId(),
                  results.targets().getLast(),
                  Failures.explain(e),
                  keepElsewhere(done, results)),
          e);
    }
    if (summary != null) {
      if (!Files.exists(summary)) {
        new OriginalReaders(file).create(summary);
      }
      Files.writeString(summary, done.summary(results.targets()));
    }
  }

  private String keepElsewhere(Signing.Done done, ResultFiles results) {
    try {
      return "the results are in " + results.keepElsewhere(done.results());
    } catch (IOException e) {
      return "ask for them with GET %s/sign/%s (%s)"
          .formatted(server.url(), done.requestId(), Failures.explain(e));
    }
  }

  /** The request's deadline also limits the wait for its answer. */
  private Duration requestTime() {
    Long deadlineMillis = key.deadlineMillis();
    return deadlineMillis == null ? USUAL_TIME : USUAL_TIME.plusMillis(deadlineMillis);
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
