package org.keywell.xks.api;

import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import org.keywell.xks.hsm.HsmProofs;
import org.keywell.xks.store.XksKeys;

/** GetHealthStatus: whether a request that follows could be served. Thread-safe. */
final class HealthStatus {

  private static final int MOST_HSMS = 10;

  private final XksKeys keys;
  private final HsmProofs proofs;
  private final String version;
  private final IntSupplier instances;

  HealthStatus(XksKeys keys, HsmProofs proofs, String version, IntSupplier instances) {
    this.keys = keys;
    this.proofs = proofs;
    this.version = version;
    this.instances = instances;
  }

  String answer(RequestBody body) {
    var _ = body.metadata("kmsRequestId");
    var _ = body.metadata("kmsOperation");
    // Shows that the database answers.
    var _ = keys.find(KeyOperations.NO_KEY);
    List<HsmProofs.Proved> hsms = proofs.all();
    if (hsms.stream().noneMatch(HsmProofs.Proved::works)) {
      throw new XksException(XksError.INTERNAL, "no HSM works");
    }
    String details =
        hsms.stream().limit(MOST_HSMS).map(HealthStatus::detail).collect(Collectors.joining(","));
    return ("{\"xksProxyFleetSize\":%d,\"xksProxyVendor\":\"Keywell\",\"xksProxyModel\":\"Keywell %s\","
            + "\"ekmVendor\":\"PKCS#11\",\"ekmFleetDetails\":[%s]}")
        .formatted(instances.getAsInt(), plain(version), details);
  }

  private static String detail(HsmProofs.Proved hsm) {
    return "{\"id\":\"%s\",\"model\":\"%s\",\"healthStatus\":\"%s\"}"
        .formatted(plain(hsm.name()), plain(hsm.model()), hsm.works() ? "ACTIVE" : "UNAVAILABLE");
  }

  /** A device chooses its own text. */
  private static String plain(String text) {
    return text.replaceAll("[^A-Za-z0-9 ._/#-]", "?");
  }
}
