package org.keywell.ca.token;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tokens of SoftHSM2, made before this JVM loads the module: SoftHSM does not see tokens that
 * another process adds later. A missing SoftHSM fails the tests.
 */
public final class SoftHsm {
  private static final List<String> MODULES =
      List.of(
          "/usr/lib/softhsm/libsofthsm2.so",
          "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
          "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
          "/usr/local/lib/softhsm/libsofthsm2.so");
  private static final Pattern SLOT = Pattern.compile("slot (\\d+)");
  private static final Path MODULE = module();

  /** For all tests that log in; they keep apart by labels and names of their own. */
  public static final SoftHsm SHARED;

  /** For a test of what a token does that nobody is logged in to. */
  static final SoftHsm NEVER_LOGGED_IN;

  static {
    writeConfiguration();
    SHARED = initialize();
    NEVER_LOGGED_IN = initialize();
  }

  private final TokenAddress address;
  private final String pin;

  private SoftHsm(TokenAddress address, String pin) {
    this.address = address;
    this.pin = pin;
  }

  public TokenAddress address() {
    return address;
  }

  public char[] pin() {
    return pin.toCharArray();
  }

  private static SoftHsm initialize() {
    String pin = randomPin();
    String output =
        softHsmUtil(
            "--init-token",
            "--free",
            "--label",
            "keywell-ca-" + UUID.randomUUID().toString().substring(0, 8),
            "--pin",
            pin,
            "--so-pin",
            randomPin());
    Matcher slot = SLOT.matcher(output);
    if (!slot.find()) {
      throw new AssertionError("softhsm2-util made no token: " + output);
    }
    return new SoftHsm(new TokenAddress(MODULE, Long.parseLong(slot.group(1)), null), pin);
  }

  private static String softHsmUtil(String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
    builder.command().addAll(0, List.of("softhsm2-util", "--module", MODULE.toString()));
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return output;
    } catch (IOException e) {
      throw new AssertionError("tests need softhsm2-util on the path (Debian: softhsm2)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Path module() {
    return Stream.concat(Stream.ofNullable(System.getenv("KEYWELL_TEST_SOFTHSM")), MODULES.stream())
        .map(Path::of)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() ->
            new AssertionError("tests need SoftHSM2 at KEYWELL_TEST_SOFTHSM or one of " + MODULES));
  }

  private static void writeConfiguration() {
    String named = System.getenv("SOFTHSM2_CONF");
    if (named == null) {
      throw new AssertionError("tests need SOFTHSM2_CONF in their environment, as Maven sets it");
    }
    Path file = Path.of(named).toAbsolutePath();
    Path tokens = file.resolveSibling("tokens");
    try {
      Files.createDirectories(tokens);
      Files.writeString(
          file,
          """
          directories.tokendir = %s
          objectstore.backend = file
          slots.removable = false
          log.level = ERROR
          """
              .formatted(tokens));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String randomPin() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
