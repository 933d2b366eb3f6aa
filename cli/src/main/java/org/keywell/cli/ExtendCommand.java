package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.dss.BaselineLevel;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentExtender;
import org.keywell.dss.DocumentExtensionException;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.TimestampAuthority;
import org.keywell.dss.ValidationSources;
import org.keywell.dss.VerifiedDocument;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Extends a signed document, so that it can be verified for longer. */
@Command(
    name = "extend",
    description = {
      "Extends a signed document, so that it can be verified for longer. It is verified first.",
      "",
      "Level t adds a time stamp, lt the proof that no certificate was revoked, lta a time stamp over"
          + " all of that. A document at level lta gets another one: extend it again before the time"
          + " stamp authority's certificate expires.",
      ""
    },
    sortOptions = false)
final class ExtendCommand implements Callable<Integer> {
  private static final Duration TIME = Duration.ofSeconds(60);
  private static final long MOST_BYTES = 256L << 20;
  private static final long ADDED_BYTES = 1 << 20;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "FILE", description = "The signed document.")
  private Path file = Path.of("");

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "lta",
      converter = LevelConverter.class,
      description = "t, lt or lta (default).")
  private BaselineLevel level = BaselineLevel.LTA;

  @Option(
      names = "--content",
      paramLabel = "FILE",
      description =
          "What was signed, if the document does not contain it. Default for NAME.p7s: NAME beside"
              + " it, if there.")
  private @Nullable Path content;

  @Mixin private final PasswordOption password = new PasswordOption();

  @Option(
      names = "--tsa",
      paramLabel = "URL",
      description =
          "Time stamp authority (RFC 3161); given several times: the first that answers. Default: the"
              + " service.")
  private List<URI> timestampAuthorities = List.of();

  @Option(
      names = "--root",
      paramLabel = "FILE",
      description =
          "PEM certificates to trust: the root of the CA, and of the time stamp authority. Default:"
              + " the roots that the service returns.")
  private @Nullable Path root;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Where to write; default: beside FILE, with the level in its name.")
  private @Nullable Path out;

  @Option(names = "--force", description = "Replace an existing file, even FILE itself.")
  private boolean force;

  /** The extended document, and what it was extended under. */
  private record Extended(Document document, List<X509Certificate> anchors) {}

  @Override
  public Integer call() throws Exception {
    rejectUnusableArguments();
    Path target = out == null ? ResultFiles.beside(file, null, name()) : out;
    if (!force && Files.exists(target)) {
      throw new CommandFailedException(target + " exists already; --force replaces it");
    }
    Document signed = password.opening(Document.read(file));
    List<Document> contents = contents();
    try (ResultFiles results =
        ResultFiles.reserve(List.of(target), file, signed.content().length + ADDED_BYTES)) {
      Extended extended = extended(signed, contents);
      results.write(List.of(extended.document().content()));
      report(extended, contents, target);
    }
    return 0;
  }

  private void report(Extended extended, List<Document> contents, Path target)
      throws CommandFailedException {
    PrintWriter console = spec.commandLine().getOut();
    console.println("Extended " + file + " to level " + level);
    console.println("  document   " + target);
    console.println();
    VerifiedDocument verified =
        DocumentVerification.trusting(extended.anchors()).verify(extended.document(), contents);
    Verdict.print(console, verified);
    if (root == null) {
      console.println("  trusting the roots that the service answered (--root FILE trusts others)");
    }
    console.flush();
    Verdict.requirePassed(verified);
  }

  private void rejectUnusableArguments() throws IOException {
    if (level == BaselineLevel.B) {
      throw misuse("--level is t, lt or lta: a document at level b is what sign makes");
    }
    for (URI authority : timestampAuthorities) {
      if (!DocumentOptions.isAddress(authority)) {
        throw misuse("--tsa '" + authority + "' is no http or https address");
      }
    }
    for (Path each : content == null ? List.of(file) : List.of(file, content)) {
      if (!Files.isRegularFile(each)) {
        throw misuse(Files.exists(each) ? each + " is no file" : "there is no file " + each);
      }
      if (Files.size(each) > MOST_BYTES) {
        throw misuse(
            "%s is larger than %d MB, which is in memory as a whole"
                .formatted(each, MOST_BYTES >> 20));
      }
    }
  }

  /** Returns such as {@code contract-lta.pdf}. */
  private String name() {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    String suffix = "-" + level.name().toLowerCase(Locale.ROOT);
    return dot > 0 ? name.substring(0, dot) + suffix + name.substring(dot) : name + suffix;
  }

  private List<Document> contents() throws IOException {
    if (content != null) {
      return List.of(Document.read(content));
    }
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".p7s")) {
      Path beside =
          ResultFiles.beside(file, null, name.substring(0, name.length() - ".p7s".length()));
      if (Files.isRegularFile(beside)) {
        return List.of(Document.read(beside));
      }
    }
    return List.of();
  }

  /** Calls the service only for what was not given. */
  private Extended extended(Document signed, List<Document> contents)
      throws IOException, InterruptedException, CommandFailedException {
    List<X509Certificate> trusted = TrustedRoots.of(root);
    return !timestampAuthorities.isEmpty() && !trusted.isEmpty()
        ? extended(extender(trusted), trusted, signed, contents)
        : ServiceCall.untilDone(
            server,
            TIME,
            client -> {
              List<X509Certificate> anchors =
                  trusted.isEmpty() ? TrustedRoots.toldBy(client) : trusted;
              return extended(extender(client, anchors), anchors, signed, contents);
            });
  }

  private DocumentExtender extender(KeywellClient client, List<X509Certificate> anchors)
      throws IOException, InterruptedException, CommandFailedException {
    if (!timestampAuthorities.isEmpty()) {
      return extender(anchors);
    }
    if (client.timeStampChainPem().isEmpty()) {
      throw new CommandFailedException(
          "the service makes no time stamps for you; --tsa names another authority");
    }
    return DocumentExtender.withTimestampsOf(client, ValidationSources.trusting(anchors));
  }

  private DocumentExtender extender(List<X509Certificate> anchors) {
    return new DocumentExtender(
        timestampAuthorities.stream().map(TimestampAuthority::new).toList(),
        ValidationSources.trusting(anchors));
  }

  private Extended extended(
      DocumentExtender extender,
      List<X509Certificate> anchors,
      Document signed,
      List<Document> contents)
      throws CommandFailedException {
    try {
      return new Extended(extender.extend(signed, contents, level), anchors);
    } catch (DocumentExtensionException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
