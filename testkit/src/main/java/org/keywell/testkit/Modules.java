package org.keywell.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the PKCS#11 modules for tests. A missing one fails the test: nothing is skipped. */
public final class Modules {
  private Modules() {}

  public static Path softHsm() {
    return find(
        "KEYWELL_TEST_SOFTHSM",
        "SoftHSM 2 (Debian package libsofthsm2)",
        List.of(
            "/usr/lib/softhsm/libsofthsm2.so",
            "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
            "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
            "/usr/local/lib/softhsm/libsofthsm2.so",
            "/opt/homebrew/lib/softhsm/libsofthsm2.so"));
  }

  public static Path nss() {
    RealPart.NSS.inUse();
    return find(
        "KEYWELL_TEST_NSS",
        "NSS softokn (Debian package libnss3)",
        List.of(
            "/usr/lib/x86_64-linux-gnu/libsoftokn3.so",
            "/usr/lib/x86_64-linux-gnu/nss/libsoftokn3.so",
            "/usr/lib/aarch64-linux-gnu/libsoftokn3.so",
            "/usr/lib/aarch64-linux-gnu/nss/libsoftokn3.so",
            "/usr/lib64/libsoftokn3.so"));
  }

  private static Path find(String setting, String what, List<String> candidates) {
    Optional<String> set =
        Optional.ofNullable(System.getProperty(setting))
            .or(() -> Optional.ofNullable(System.getenv(setting)));
    List<String> paths = set.map(List::of).orElse(candidates);
    return paths.stream()
        .map(Path::of)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(
                "tests need "
                    + what
                    + ", not found at "
                    + paths
                    + "; install it or set "
                    + setting
                    + " (environment or system property) to its path"));
  }
}
