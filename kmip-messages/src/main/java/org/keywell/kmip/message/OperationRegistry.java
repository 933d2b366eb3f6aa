package org.keywell.kmip.message;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The operations that are offered, each with its handler. Immutable and thread-safe. */
public final class OperationRegistry<C> {

  private final Map<String, OperationHandler<C>> handlers = new LinkedHashMap<>();

  /**
   * Offers these operations, and {@code Query} and {@code DiscoverVersions}.
   *
   * @param handlers by the operation's name
   * @throws IllegalArgumentException if a name is no operation that clients request
   */
  public OperationRegistry(
      Map<String, ? extends OperationHandler<C>> handlers, ServerDescription server) {
    handlers.forEach(this::add);
    add("DiscoverVersions", OperationRegistry::discoverVersions);
    add("Query", new Query<>(server, this::offered));
  }

  private void add(String name, OperationHandler<C> handler) {
    var operation = Enumerations.named("Operation", name);
    if (!"client".equals(operation.detail()) || handlers.put(name, handler) != null) {
      throw new IllegalArgumentException("cannot be offered: " + name);
    }
  }

  /** Returns the names of the operations that a client of this version can request. */
  List<String> offered(ProtocolVersion version) {
    return Enumerations.of("Operation").stream()
        .filter(each -> handlers.containsKey(each.name()) && each.span().includes(version))
        .map(Enumerations.Named::name)
        .toList();
  }

  /**
   * Returns the handler.
   *
   * @param value in the enumeration {@code Operation}
   * @throws KmipException if the version has no such operation, or it is not offered
   */
  OperationHandler<C> handler(int value, ProtocolVersion version) {
    var operation = named(value);
    String name = operation == null ? "operation %08X".formatted(value) : operation.name();
    OperationHandler<C> handler = handlers.get(name);
    if (operation == null || handler == null || !operation.span().includes(version)) {
      throw new KmipException(
          "OperationNotSupported", "%s is not supported in KMIP %s".formatted(name, version));
    }
    return handler;
  }

  /** Returns the name of an operation, offered or not; null if there is none of this value. */
  static @Nullable String name(int value) {
    var operation = named(value);
    return operation == null ? null : operation.name();
  }

  private static Enumerations.@Nullable Named named(int value) {
    // All that there ever were are in the newest version.
    return Enumerations.valued("Operation", value, ProtocolVersion.V2_1);
  }

  /** Lists the versions that both sides speak, the newest first. */
  private static List<Item> discoverVersions(OperationCall<?> call) {
    List<ProtocolVersion> asked =
        call.fields().repeated(VersionField.TAG, Value.Structure.class).stream()
            .map(VersionField::read)
            .toList();
    call.fields().end();
    return ProtocolVersion.SUPPORTED.stream()
        .filter(each -> asked.isEmpty() || asked.contains(each))
        .map(VersionField::write)
        .toList();
  }
}
