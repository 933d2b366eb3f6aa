package org.keywell.kmip.message;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.keywell.kmip.table.Operation;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;

/** The operations that are offered, each with its handler. Immutable and thread-safe. */
public final class OperationRegistry<C> {

  private final Map<Operation, OperationHandler<C>> handlers = new LinkedHashMap<>();

  /**
   * Offers these operations, and {@code Query} and {@code DiscoverVersions}.
   *
   * @param handlers by the operation's name
   * @throws IllegalArgumentException if a name is no operation that clients request
   */
  public OperationRegistry(
      Map<String, ? extends OperationHandler<C>> handlers, ServerDescription server) {
    handlers.forEach(this::add);
    add("DiscoverVersions", new DiscoverVersions<>());
    add("Query", new Query<>(server, this::offered));
  }

  private void add(String name, OperationHandler<C> handler) {
    Operation operation = Operation.named(name);
    if (!operation.byClient() || handlers.put(operation, handler) != null) {
      throw new IllegalArgumentException("cannot be offered: " + name);
    }
  }

  /** Returns the operations that a client of this version can request. */
  List<Operation> offered(ProtocolVersion version) {
    return Operation.all().stream()
        .filter(each -> handlers.containsKey(each) && each.span().includes(version))
        .toList();
  }

  /**
   * Returns the handler.
   *
   * @param value in the enumeration {@code Operation}
   * @throws KmipException if the version has no such operation, or it is not offered
   */
  OperationHandler<C> handler(int value, ProtocolVersion version) {
    Operation operation = Operation.valued(value);
    OperationHandler<C> handler = operation == null ? null : handlers.get(operation);
    if (operation == null || handler == null || !operation.span().includes(version)) {
      throw new KmipException(
          ResultReason.named("OperationNotSupported"),
          "%s is not supported in KMIP %s"
              .formatted(
                  operation == null ? "operation %08X".formatted(value) : operation, version));
    }
    return handler;
  }
}
