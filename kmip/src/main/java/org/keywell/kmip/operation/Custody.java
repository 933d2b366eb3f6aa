package org.keywell.kmip.operation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.kmip.table.Enumerations;

/**
 * What the operations work with. Refuses with {@link KmipException}. Thread-safe.
 *
 * @param hsm as opened with the wrapping key of managed keys
 * @param keys of the same HSM
 */
public record Custody(
    ObjectStore objects,
    Hsm hsm,
    ManagedKeys keys,
    ReadyPairs pairs,
    ExportPolicy exports,
    InstantSource clock) {

  Instant now() {
    return clock.instant();
  }

  /** Stores a new object, and logs that. Later operations of the batch may leave out its id. */
  void add(String operation, OperationCall<KmipCaller> call, ManagedObject object) {
    add(operation, call, object, InTransaction.NOTHING);
  }

  /** As above, with something else or not at all. */
  void add(
      String operation, OperationCall<KmipCaller> call, ManagedObject object, InTransaction also) {
    objects.insert(operation, List.of(object), also);
    call.batch().setIdPlaceholder(object.id().toString());
  }

  /** Returns the object that an operation is about, in its present state, and logs the use. */
  ManagedObject use(String operation, OperationCall<KmipCaller> call) {
    UUID id = Identifiers.take(call);
    call.fields().end();
    return objects.use(operation, call.caller().name(), id).at(now());
  }

  /**
   * Changes the object that an operation is about, in the state that its dates give it, and logs
   * that.
   */
  ManagedObject change(
      String operation, OperationCall<KmipCaller> call, UnaryOperator<ManagedObject> change) {
    UUID id = Identifiers.take(call);
    call.fields().end();
    return objects.change(operation, call.caller().name(), id, dated(change));
  }

  /** As above, with what is written in the same transaction. */
  InTransaction alsoChange(
      String operation, KmipCaller caller, UUID id, UnaryOperator<ManagedObject> change) {
    return connection -> {
      var _ = objects.change(connection, operation, caller.name(), id, dated(change));
    };
  }

  /** Returns a change in the state that its object's dates give it, and says when it was. */
  UnaryOperator<ManagedObject> dated(UnaryOperator<ManagedObject> change) {
    Instant now = now();
    return before -> change.apply(before.at(now)).at(now).stamped("Last Change Date", now);
  }

  /** Returns the object that an operation is about without logging that: it reads attributes. */
  ManagedObject read(OperationCall<KmipCaller> call) {
    UUID id = Identifiers.take(call);
    call.fields().end();
    return read(call.caller(), id);
  }

  /** As above, of an object that is named otherwise. */
  ManagedObject read(KmipCaller caller, UUID id) {
    return objects.require(caller.name(), id).at(now());
  }

  /**
   * Requires that a key may protect or process data now.
   *
   * @param usage of the enumeration {@code CryptographicUsageMask}
   * @param protects whether data is protected by it, for which the key must be active; what was
   *     protected is processed by deactivated and compromised keys too (KMIP, section "State")
   */
  void requireUsable(ManagedObject key, String usage, boolean protects) {
    boolean fit =
        switch (key.state()) {
          case ACTIVE -> true;
          case DEACTIVATED, COMPROMISED -> !protects;
          case PRE_ACTIVE, DESTROYED, DESTROYED_COMPROMISED -> false;
        };
    if (!fit) {
      throw new KmipException(
          "WrongKeyLifecycleState", "the key's state is " + key.state().label());
    }
    String starts = "Process Start Date";
    if (protects
        ? key.isReached("Protect Stop Date", now())
        : key.attributes().has(starts) && !key.isReached(starts, now())) {
      throw new KmipException("WrongKeyLifecycleState", "the key's dates do not allow " + usage);
    }
    int bit = Enumerations.named("CryptographicUsageMask", usage).bits();
    if ((key.attributes().number("Cryptographic Usage Mask") & bit) == 0) {
      throw new KmipException("IncompatibleCryptographicUsageMask", "the key is not for " + usage);
    }
  }

  /** Returns what the HSM takes in for this object. */
  byte[] blob(ManagedObject object) {
    if (!(object.material() instanceof Material.Wrapped wrapped)) {
      throw new KmipException(
          object.material() == null ? "ObjectDestroyed" : "InvalidObjectType",
          "the object has no key in the HSM");
    }
    if (!wrapped.wrappingKeyId().equals(hsm.wrappingKeyId())) {
      throw new KmipException(
          "GeneralFailure", "the object is wrapped by a key that this server's HSM does not have");
    }
    return wrapped.blob();
  }

  /** Takes in content that the process has; returns what the HSM takes in for it. */
  byte[] store(byte[] content) {
    requireSize("an object", content, 1, ManagedKeys.MAX_CONTENT_BYTES);
    return keys.store(content);
  }

  /** Takes what a key is used on. */
  static byte[] data(Fields fields) {
    byte[] data = fields.bytes("Data");
    requireSize("Data", data, 0, ManagedKeys.MAX_DATA_BYTES);
    return data;
  }

  /** Refuses bytes that the HSM would not take. */
  static void requireSize(String what, byte[] bytes, int least, int most) {
    if (bytes.length < least || bytes.length > most) {
      throw new KmipException(
          "ServerLimitExceeded", "%s has %s to %s bytes".formatted(what, least, most));
    }
  }

  /** Returns new material of this HSM. */
  Material.Wrapped wrapped(byte[] blob) {
    return new Material.Wrapped(hsm.wrappingKeyId(), blob, null);
  }
}
