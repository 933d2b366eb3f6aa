package org.keywell.loadgen.tls;

import java.util.List;
import java.util.Locale;

/**
 * What a run measures.
 *
 * @param seconds of each measurement
 * @param rounds of all measurements, in turn
 * @param warmUpSeconds for each suite, against the service alone: its code is compiled as it runs
 * @param suites of {@link #SUITES}
 * @param ecKey whether the servers' certificate has a key on P-256; otherwise, RSA-2048
 * @param mutual whether the client presents a certificate, which both servers require
 */
public record TlsPlan(
    int seconds,
    int rounds,
    int warmUpSeconds,
    List<String> suites,
    List<FileSize> sizes,
    boolean ecKey,
    boolean mutual) {

  /** The suites of TLS 1.3 that are measured, by their names in RFC 8446. */
  public static final List<String> SUITES =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  public TlsPlan {
    suites = List.copyOf(suites);
    sizes = List.copyOf(sizes);
  }

  /** Returns a scenario's name, as the workload has it. */
  static String scenario(String suite, FileSize size) {
    String label = suite.substring("TLS_".length()).toLowerCase(Locale.ROOT).replace('_', '-');
    return "tls_client_" + label + "-" + size.label();
  }

  /** Returns the number of measurements. */
  int measurements() {
    return rounds * suites.size() * sizes.size() * 2 * 2;
  }
}
