package org.keywell.ca.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

/**
 * Tokens of SoftHSM2, made before this JVM loads the module: SoftHSM does not see tokens that
 * another process adds later. A missing SoftHSM fails the tests.
 */
public final class SoftHsm {
  private static final Pattern SLOT = Pattern.compile("slot (\\d+)");
  private static final Path MODULE = SoftHsm2.module();

  /** For all tests that log in; they keep apart by labels and names of their own. */
  public static final SoftHsm SHARED;

  /** Another one for all tests that log in, behind the same module. */
  static final SoftHsm SECOND;

  /** For a test of what a token does that nobody is logged in to. */
  static final SoftHsm NEVER_LOGGED_IN;

  static {
    SHARED = initialize(MODULE);
    SECOND = initialize(MODULE);
    NEVER_LOGGED_IN = initialize(MODULE);
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

  /** A token in a SoftHSM that is behind another module, which this JVM has not loaded yet. */
  static SoftHsm behind(Path module) {
    return initialize(module);
  }

  private static SoftHsm initialize(Path module) {
    String pin = new String(RandomPin.characters());
    String output =
        softHsmUtil(
            module,
            "--init-token",
            "--free",
            "--label",
            "keywell-ca-" + UUID.randomUUID().toString().substring(0, 8),
            "--pin",
            pin,
            "--so-pin",
            new String(RandomPin.characters()));
    Matcher slot = SLOT.matcher(output);
    if (!slot.find()) {
      throw new AssertionError("softhsm2-util made no token: " + output);
    }
    return new SoftHsm(new TokenAddress(module, Long.parseLong(slot.group(1)), null), pin);
  }

  private static String softHsmUtil(Path module, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
    builder.command().addAll(0, List.of("softhsm2-util", "--module", module.toString()));
    builder.environment().putAll(SoftHsm2.environment());
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
}
