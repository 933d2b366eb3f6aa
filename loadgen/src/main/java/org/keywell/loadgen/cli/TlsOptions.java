package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.tls.FileSize;
import org.keywell.loadgen.tls.TlsPlan;
import picocli.CommandLine.Option;

/** What {@code load tls} measures. */
final class TlsOptions {

  @Option(
      names = "--time",
      paramLabel = "S",
      defaultValue = "2",
      description =
          "Seconds of each measurement, 1 to 300, to which s_time adds up to one; default:"
              + " ${DEFAULT-VALUE}. The workload's own description has 30.")
  private int seconds = 2;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of all measurements, 1 to 100; each ratio is the median of its rounds; default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1k,1m,64m",
      description = "Sizes of the files, 1k to 512m, at most 10; default: ${DEFAULT-VALUE}.")
  private List<String> sizes = new ArrayList<>();

  @Option(
      names = "--suites",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256",
      description = "Cipher suites of TLS 1.3; default: ${DEFAULT-VALUE}, which are all.")
  private List<String> suites = new ArrayList<>();

  @Option(
      names = "--ec",
      description = "Both servers' certificate has a key on P-256; default: RSA-2048.")
  private boolean ec;

  @Option(
      names = "--mutual",
      description =
          "The client presents a certificate, which both servers require; default: none, as in the"
              + " workload's description.")
  private boolean mutual;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "5",
      description =
          "Seconds of unmeasured connections to the service for each suite, so that its code is"
              + " compiled, 0 to 300; default: ${DEFAULT-VALUE}.")
  private int warmUp = 5;

  @Option(
      names = "--openssl",
      paramLabel = "PROGRAM",
      defaultValue = "openssl",
      description = "OpenSSL's program; default: the ${DEFAULT-VALUE} on the PATH.")
  private String openSsl = "openssl";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Report folder; default: load-reports/TIME-tls. It must be empty or missing.")
  private @Nullable Path out;

  TlsPlan plan() throws MisuseException {
    require(seconds, 1, 300, "--time");
    require(rounds, 1, 100, "--rounds");
    require(warmUp, 0, 300, "--warm-up");
    require(sizes.size(), 1, 10, "the number of --sizes");
    return new TlsPlan(
        seconds,
        rounds,
        warmUp,
        parse("--suites", suites, TlsOptions::suite),
        parse("--sizes", sizes, FileSize::parse),
        ec,
        mutual);
  }

  String openSsl() {
    return openSsl;
  }

  Path out(RunName name) {
    return out == null ? Path.of("load-reports", name.folder()) : out;
  }

  private static String suite(String name) {
    if (!TlsPlan.SUITES.contains(name)) {
      throw new IllegalArgumentException(
          "'%s' is not one of %s".formatted(name, String.join(", ", TlsPlan.SUITES)));
    }
    return name;
  }

  private static <T> List<T> parse(String option, List<String> texts, Function<String, T> parser)
      throws MisuseException {
    try {
      return texts.stream().map(text -> parser.apply(text.strip())).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw new MisuseException(option + ": " + e.getMessage());
    }
  }

  private static void require(int value, int least, int most, String what) throws MisuseException {
    if (value < least || value > most) {
      throw new MisuseException("%s is %d, expected %d to %d".formatted(what, value, least, most));
    }
  }
}
