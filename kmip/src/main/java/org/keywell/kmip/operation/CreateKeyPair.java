package org.keywell.kmip.operation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Gives a client a key pair: one of the pool or, if it has none, one that is made meanwhile. */
record CreateKeyPair(Custody custody) implements OperationHandler<KmipCaller> {

  private static final Set<String> EC = Set.of("EC", "ECDSA");

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    KeyPairTemplates templates = KeyPairTemplates.take(call);
    call.fields().end();
    if (spec(templates.ofPrivate()) != spec(templates.ofPublic())) {
      throw new KmipException("InvalidField", "private and public key are of different kinds");
    }
    return create("CreateKeyPair", call.caller(), templates, _ -> InTransaction.NOTHING)
        .answer(call);
  }

  /** Both halves, stored and linked. */
  record Pair(ManagedObject privateKey, ManagedObject publicKey) {

    List<Item> answer(OperationCall<KmipCaller> call) {
      call.batch().setIdPlaceholder(privateKey.id().toString());
      return new FieldsBuilder()
          .id("PrivateKeyUniqueIdentifier", privateKey.id())
          .id("PublicKeyUniqueIdentifier", publicKey.id())
          .items();
    }
  }

  /**
   * Returns a new pair that the caller owns.
   *
   * @param also written in the transaction that stores it
   */
  Pair create(
      String operation,
      KmipCaller owner,
      KeyPairTemplates templates,
      Function<Pair, InTransaction> also) {
    // Refused before a key is spent on it.
    KeySpec spec = spec(templates.ofPrivate());
    Attributes ofPrivate = attributes(templates.ofPrivate(), ObjectType.PRIVATE_KEY, spec);
    Attributes ofPublic = attributes(templates.ofPublic(), ObjectType.PUBLIC_KEY, spec);
    NewObjects objects = new NewObjects(custody, owner);
    Optional<StoredKey> ready = custody.pairs().take(spec);
    WrappedKey key = ready.map(StoredKey::key).orElseGet(() -> make(spec));
    var secret =
        new Material.Wrapped(key.wrappingKeyId(), key.wrappedPrivateKey(), key.publicKey());
    var open = new Material.Plain(key.publicKey());
    ManagedObject privateKey = objects.object(ObjectType.PRIVATE_KEY, ofPrivate, secret);
    ManagedObject publicKey = objects.object(ObjectType.PUBLIC_KEY, ofPublic, open);
    Pair pair =
        new Pair(
            Links.add(privateKey, "PublicKeyLink", publicKey.id()),
            Links.add(publicKey, "PrivateKeyLink", privateKey.id()));
    insert(operation, pair, ready, also.apply(pair));
    return pair;
  }

  private static Attributes attributes(Template template, ObjectType type, KeySpec spec) {
    String algorithm = String.valueOf(template.given().choice("Cryptographic Algorithm"));
    return NewObjects.described(type, template.attributes(type), algorithm, spec.bits());
  }

  /** The pool's key and the client's are one transaction: never both, never neither. */
  private void insert(String operation, Pair pair, Optional<StoredKey> ready, InTransaction also) {
    List<ManagedObject> both = List.of(pair.privateKey(), pair.publicKey());
    if (ready.isEmpty()) {
      custody.objects().insert(operation, both, also);
      return;
    }
    JdbcWrappedKeyStore pool = custody.pairs().store();
    boolean inserted = false;
    try {
      inserted = custody.objects().insert(operation, both, pool.giving(ready.get()), also);
    } finally {
      if (!inserted) {
        // If its commit has succeeded nevertheless, it is off the ledger, and this does nothing.
        pool.discard(List.of(ready.get().id()));
      }
    }
    if (!inserted) {
      custody.pairs().disowned();
      throw new KmipException("GeneralFailure", "the pair was lost; try again");
    }
  }

  private WrappedKey make(KeySpec spec) {
    return custody
        .pairs()
        .make(spec)
        .orElseThrow(() ->
            new KmipException(
                "ServerLimitExceeded",
                "no key pair is ready, and pairs for other clients are being made"));
  }

  /** Returns the kind of pair that a template asks for. */
  private static KeySpec spec(Template template) {
    String algorithm = String.valueOf(template.given().choice("Cryptographic Algorithm"));
    int bits = template.given().number("Cryptographic Length");
    boolean ec = EC.contains(algorithm);
    if (ec) {
      bits = curveBits(template.given(), bits);
    }
    for (KeySpec spec : KeySpec.values()) {
      boolean same =
          spec.algorithm() == KeySpec.Algorithm.EC ? ec : algorithm.equals(spec.algorithm().name());
      if (same && spec.bits() == bits) {
        return spec;
      }
    }
    throw new KmipException(
        "InvalidField",
        "no key pairs of %s with %d bits: RSA has 2048, 3072 or 4096, EC 256 (P-256) or 384 (P-384)"
            .formatted(algorithm, bits));
  }

  /** Returns the size of the named curve; 0 if no pair is on it, the given one if none is named. */
  private static int curveBits(Attributes given, int bits) {
    var domain = given.first("Cryptographic Domain Parameters", Value.Structure.class);
    for (Item item : domain == null ? List.<Item>of() : domain.items()) {
      if (item.value() instanceof Value.Enumerated curve) {
        boolean p256 = curve.equals(Tag.named("RecommendedCurve").item("P_256").value());
        boolean p384 = curve.equals(Tag.named("RecommendedCurve").item("P_384").value());
        return p256 ? KeySpec.EC_P256.bits() : p384 ? KeySpec.EC_P384.bits() : 0;
      }
    }
    return bits;
  }
}
