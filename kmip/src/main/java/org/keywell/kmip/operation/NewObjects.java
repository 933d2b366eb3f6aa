package org.keywell.kmip.operation;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeRules;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Value;

/** What every new object of a caller has. */
record NewObjects(Custody custody, KmipCaller owner) {

  /** Names of the same keys. */
  private static final Set<Value> EC =
      Stream.of("EC", "ECDSA", "ECDH")
          .map(name -> Tag.named("CryptographicAlgorithm").item(name).value())
          .collect(Collectors.toUnmodifiableSet());

  /** Returns a key with the attributes that its template does not have. */
  ManagedObject key(
      ObjectType type, Attributes given, String algorithm, int bits, Material material) {
    return object(type, described(type, given, algorithm, bits), material);
  }

  /** Returns the attributes with those of the key; refuses them if they say something else. */
  static Attributes described(ObjectType type, Attributes given, String algorithm, int bits) {
    Value named = Tag.named("CryptographicAlgorithm").item(algorithm).value();
    requireSame(given, "Cryptographic Algorithm", named);
    requireSame(given, "Cryptographic Length", new Value.Int(bits));
    Attributes described =
        given
            .set("Cryptographic Algorithm", named)
            .set("Cryptographic Length", new Value.Int(bits));
    AttributeRules.checkTrue(type, described);
    return described;
  }

  /** A template that says otherwise than the key is refused. */
  private static void requireSame(Attributes given, String name, Value is) {
    Value said = first(given, name);
    if (said != null && !said.equals(is) && !(EC.contains(said) && EC.contains(is))) {
      throw new KmipException("InvalidField", "the key's %s is another".formatted(name));
    }
  }

  ManagedObject object(ObjectType type, Attributes given, Material material) {
    Instant now = custody.now();
    UUID id = UUID.randomUUID();
    AttributeRules.checkTrue(type, given);
    Attributes protection = protection(given);
    return new ManagedObject(id, owner.name(), type, State.PRE_ACTIVE, protection, material)
        .stamped("Initial Date", now)
        .stamped("Last Change Date", now)
        .at(now);
  }

  /** The last two never change: an object that was once without protection never had it always. */
  private static Attributes protection(Attributes given) {
    Value sensitive = Objects.requireNonNullElse(first(given, "Sensitive"), new Value.Bool(false));
    Value extractable =
        Objects.requireNonNullElse(first(given, "Extractable"), new Value.Bool(true));
    return given
        .set("Sensitive", sensitive)
        .set("Extractable", extractable)
        .set("Always Sensitive", sensitive)
        .set("Never Extractable", new Value.Bool(!new Value.Bool(true).equals(extractable)));
  }

  private static @Nullable Value first(Attributes given, String name) {
    return given.first(Attributes.named(name));
  }
}
