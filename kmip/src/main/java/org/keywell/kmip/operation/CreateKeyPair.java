package org.keywell.kmip.operation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.StoredKey;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Gives a client a key pair: one of the pool or, if it has none, one that is made meanwhile. */
final class CreateKeyPair implements OperationHandler<KmipCaller> {

  private static final Set<String> EC = Set.of("EC", "ECDSA");

  private final Custody custody;

  CreateKeyPair(Custody custody) {
    this.custody = custody;
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Template common = Template.take(call, fields, "CommonTemplateAttribute", "CommonAttributes");
    Template ofPrivate =
        common.with(
            Template.take(call, fields, "PrivateKeyTemplateAttribute", "PrivateKeyAttributes"));
    Template ofPublic =
        common.with(
            Template.take(call, fields, "PublicKeyTemplateAttribute", "PublicKeyAttributes"));
    fields.end();
    KeySpec spec = spec(ofPrivate);
    if (spec != spec(ofPublic)) {
      throw new KmipException(
          ResultReason.INVALID_FIELD, "private and public key are of different kinds");
    }
    Pair pair = create("CreateKeyPair", call.caller(), spec, ofPrivate, ofPublic);
    call.batch().setIdPlaceholder(pair.privateKey().id().toString());
    return List.of(
        Identifiers.item("PrivateKeyUniqueIdentifier", pair.privateKey().id()),
        Identifiers.item("PublicKeyUniqueIdentifier", pair.publicKey().id()));
  }

  /** Both halves, stored and linked. */
  record Pair(ManagedObject privateKey, ManagedObject publicKey) {}

  /** Returns a new pair that the caller owns. */
  Pair create(
      String operation, KmipCaller owner, KeySpec spec, Template ofPrivate, Template ofPublic) {
    // Refused before a key is spent on it.
    var privateAttributes = ofPrivate.attributes(ObjectType.PRIVATE_KEY);
    var publicAttributes = ofPublic.attributes(ObjectType.PUBLIC_KEY);
    String algorithm =
        String.valueOf(ofPrivate.choice("Cryptographic Algorithm", "CryptographicAlgorithm"));
    NewObjects objects = new NewObjects(custody.clock());
    Optional<StoredKey> ready = custody.pairs().take(spec);
    WrappedKey key = ready.map(StoredKey::key).orElseGet(() -> make(spec));
    ManagedObject privateKey =
        objects.key(
            owner,
            ObjectType.PRIVATE_KEY,
            privateAttributes,
            algorithm,
            spec.bits(),
            new Material.Wrapped(key.wrappingKeyId(), key.wrappedPrivateKey()));
    ManagedObject publicKey =
        objects.key(
            owner,
            ObjectType.PUBLIC_KEY,
            publicAttributes,
            algorithm,
            spec.bits(),
            new Material.Plain(key.publicKey()));
    Pair pair =
        new Pair(
            NewObjects.linked(privateKey, "PublicKeyLink", publicKey.id()),
            NewObjects.linked(publicKey, "PrivateKeyLink", privateKey.id()));
    insert(operation, pair, ready);
    return pair;
  }

  /** The pool's key and the client's are one transaction: never both, never neither. */
  private void insert(String operation, Pair pair, Optional<StoredKey> ready) {
    List<ManagedObject> both = List.of(pair.privateKey(), pair.publicKey());
    if (ready.isEmpty()) {
      custody.objects().insert(operation, both, InTransaction.NOTHING);
      return;
    }
    List<Long> id = List.of(ready.get().id());
    boolean inserted = false;
    try {
      custody
          .objects()
          .insert(
              operation,
              both,
              connection -> {
                if (custody.pairs().store().give(connection, id).isEmpty()) {
                  custody.pairs().disowned();
                  throw new KmipException(
                      ResultReason.named("GeneralFailure"), "the pair was lost; try again");
                }
              });
      inserted = true;
    } finally {
      if (!inserted) {
        // If its commit has succeeded nevertheless, it is off the ledger, and this does nothing.
        custody.pairs().store().discard(id);
      }
    }
  }

  private WrappedKey make(KeySpec spec) {
    return custody
        .pairs()
        .make(spec)
        .orElseThrow(() ->
            new KmipException(
                ResultReason.named("ServerLimitExceeded"),
                "no key pair is ready, and pairs for other clients are being made"));
  }

  /** Returns the kind of pair that a template asks for. */
  static KeySpec spec(Template template) {
    String algorithm = template.choice("Cryptographic Algorithm", "CryptographicAlgorithm");
    int bits = template.number("Cryptographic Length");
    if (algorithm != null && EC.contains(algorithm)) {
      bits = curveBits(template, bits);
    }
    for (KeySpec spec : KeySpec.values()) {
      boolean same =
          algorithm != null
              && (spec.algorithm() == KeySpec.Algorithm.RSA
                  ? algorithm.equals("RSA")
                  : EC.contains(algorithm));
      if (same && spec.bits() == bits) {
        return spec;
      }
    }
    throw new KmipException(
        ResultReason.INVALID_FIELD,
        "no key pairs of %s with %d bits: RSA has 2048, 3072 or 4096, EC 256 (P-256) or 384 (P-384)"
            .formatted(algorithm, bits));
  }

  private static int curveBits(Template template, int bits) {
    if (!(template.value("Cryptographic Domain Parameters")
        instanceof Value.Structure(List<Item> items))) {
      return bits;
    }
    for (Item item : items) {
      if (item.value() instanceof Value.Enumerated(int curve)) {
        if (curve == Enumerations.named("RecommendedCurve", "P_256").bits()) {
          return KeySpec.EC_P256.bits();
        }
        return curve == Enumerations.named("RecommendedCurve", "P_384").bits()
            ? KeySpec.EC_P384.bits()
            : 0;
      }
    }
    return bits;
  }
}
