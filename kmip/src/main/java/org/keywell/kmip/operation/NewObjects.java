package org.keywell.kmip.operation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.ttlv.Value;

/** What every new object has. */
record NewObjects(InstantSource clock) {

  /** Returns a key that was made here, with the attributes that its template does not have. */
  ManagedObject key(
      KmipCaller owner,
      ObjectType type,
      Attributes given,
      String algorithm,
      int bits,
      Material material) {
    int value = Enumerations.named("CryptographicAlgorithm", algorithm).bits();
    return object(
        owner,
        type,
        given
            .set(Attributes.named("Cryptographic Algorithm"), new Value.Enumerated(value))
            .set(Attributes.named("Cryptographic Length"), new Value.Int(bits)),
        material);
  }

  ManagedObject object(KmipCaller owner, ObjectType type, Attributes given, Material material) {
    Instant now = clock.instant();
    Value date = new Value.DateTime(now.getEpochSecond());
    Attributes attributes =
        given
            .set(Attributes.named("Initial Date"), date)
            .set(Attributes.named("Last Change Date"), date);
    ManagedObject object =
        new ManagedObject(
            UUID.randomUUID(), owner.name(), type, State.PRE_ACTIVE, attributes, material);
    return Dates.at(object, now);
  }

  /** Returns an object with a link to another. */
  static ManagedObject linked(ManagedObject from, String type, UUID to) {
    return from.with(from.attributes().add(Attributes.named("Link"), Links.value(type, to)));
  }
}
