package org.keywell.bench.raw;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;

/**
 * The calls of a key's life cycle, made by a C program on the same module and token in a separate
 * process. Its rate is the HSM's limit; what is lost against it is Keywell's cost.
 */
public final class RawCycle {

  /** Longer than any measurement of the suite. */
  private static final long LIMIT_MINUTES = 5;

  private final CycleToken token;
  private final KeySpec spec;
  private final Path program;

  private RawCycle(CycleToken token, KeySpec spec, Path program) {
    this.token = token;
    this.spec = spec;
    this.program = program;
  }

  /**
   * Compiles the program.
   *
   * @param work a folder for source and program
   * @throws IOException if there is no C compiler, or it fails
   */
  public static RawCycle compiled(CycleToken token, KeySpec spec, Path work)
      throws IOException, InterruptedException {
    return new RawCycle(token, spec, CycleProgram.compiled(work));
  }

  /** Returns the same program for another kind of key. */
  public RawCycle with(KeySpec other) {
    return new RawCycle(token, other, program);
  }

  /**
   * Uses keys, each once, and returns how many per second.
   *
   * @param keys in total; the threads share them equally
   * @throws IOException if the program fails; the message has its output
   */
  public double perSecond(Kind kind, int threads, int keys)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile(program.getParent(), "cycle", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line(kind, threads, keys)).redirectError(errors.toFile());
      builder.environment().putAll(token.environment());
      Process process = builder.start();
      try {
        Optional<IOException> untold = tell(process.getOutputStream());
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
          throw new IOException("the C program has not ended in " + LIMIT_MINUTES + " minutes");
        }
        String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        if (process.exitValue() != 0) {
          throw new IOException("the C program failed: " + Files.readString(errors).strip());
        }
        if (untold.isPresent()) {
          throw untold.get();
        }
        return Double.parseDouble(said);
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  private List<String> line(Kind kind, int threads, int keys) {
    Pkcs11Config config = token.config();
    List<String> line =
        new ArrayList<>(
            List.of(
                program.toString(),
                config.module().toString(),
                config.tokenLabel(),
                config.wrappingKeyLabel(),
                spec.algorithm() == KeySpec.Algorithm.EC ? "ec" : "rsa",
                kind.argument(),
                Integer.toString(threads),
                Integer.toString(keys)));
    config.initializeParameters().ifPresent(line::add);
    return line;
  }

  /**
   * Passes the PIN on standard input, since others can read arguments and environment.
   *
   * @return what prevented it; if the program failed, its own message says more
   */
  private Optional<IOException> tell(OutputStream input) {
    List<WrappedKey> keys = token.keys(spec);
    try (Writer writer = new OutputStreamWriter(input, UTF_8);
        Pin pin = token.pin()) {
      char[] characters = pin.characters();
      try {
        writer.write(characters);
      } finally {
        Arrays.fill(characters, '\0');
      }
      for (WrappedKey key : keys) {
        writer.write("\n" + HexFormat.of().formatHex(key.wrappedPrivateKey()));
      }
      writer.write("\n");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }
}
