package org.keywell.kmip.operation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.ttlv.Value;

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

  /** Returns the object that an operation is about, in its present state, and logs the use. */
  ManagedObject use(String operation, OperationCall<KmipCaller> call, Fields fields) {
    UUID id = Identifiers.take(call, fields);
    fields.end();
    return Dates.at(objects.use(operation, call.caller().name(), id), clock.instant());
  }

  /**
   * Changes the object that an operation is about, in the state that its dates give it, and logs
   * that.
   */
  ManagedObject change(
      String operation,
      OperationCall<KmipCaller> call,
      Fields fields,
      UnaryOperator<ManagedObject> change) {
    UUID id = Identifiers.take(call, fields);
    fields.end();
    Instant now = clock.instant();
    return objects.change(
        operation,
        call.caller().name(),
        id,
        before -> {
          ManagedObject after = Dates.at(change.apply(Dates.at(before, now)), now);
          return Dates.stamped(after, "Last Change Date", now);
        });
  }

  /** Returns an object without logging that; for reading attributes. */
  ManagedObject read(KmipCaller caller, UUID id) {
    return Dates.at(objects.require(caller.name(), id), clock.instant());
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
          ResultReason.named("WrongKeyLifecycleState"),
          "the key's state is " + key.state().label());
    }
    Instant now = clock.instant();
    if (protects
        ? Dates.isReached(key, "Protect Stop Date", now)
        : Dates.isAhead(key, "Process Start Date", now)) {
      throw new KmipException(
          ResultReason.named("WrongKeyLifecycleState"), "the key's dates do not allow " + usage);
    }
    int bit = Enumerations.named("CryptographicUsageMask", usage).bits();
    if (!(key.attributes().first(Attributes.named("Cryptographic Usage Mask"))
            instanceof Value.Int(int mask))
        || (mask & bit) == 0) {
      throw new KmipException(
          ResultReason.named("IncompatibleCryptographicUsageMask"), "the key is not for " + usage);
    }
  }

  /** Returns what the HSM takes in for this object. */
  byte[] blob(ManagedObject object) {
    if (!(object.material() instanceof Material.Wrapped(String wrappingKeyId, byte[] blob))) {
      throw new KmipException(
          ResultReason.named(object.material() == null ? "ObjectDestroyed" : "InvalidObjectType"),
          "the object has no key in the HSM");
    }
    if (!wrappingKeyId.equals(hsm.wrappingKeyId())) {
      throw new KmipException(
          ResultReason.named("GeneralFailure"),
          "the object is wrapped by a key that this server's HSM does not have");
    }
    return blob;
  }

  /** Returns new material of this HSM. */
  Material.Wrapped wrapped(byte[] blob) {
    return new Material.Wrapped(hsm.wrappingKeyId(), blob);
  }
}
