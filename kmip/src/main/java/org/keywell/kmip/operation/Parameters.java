package org.keywell.kmip.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Cryptographic parameters: those of the request or else the key's first ones. Refuses with {@link
 * KmipException}.
 */
record Parameters(List<Item> items, ProtocolVersion version) {

  private static final Tag PARAMETERS = Tag.named("CryptographicParameters");

  /** Takes a request's; null if it names none. */
  static Value.@Nullable Structure take(Fields fields) {
    return fields.optional(PARAMETERS, Value.Structure.class);
  }

  static Parameters of(
      Value.@Nullable Structure given, @Nullable ManagedObject key, ProtocolVersion version) {
    if (given != null) {
      return new Parameters(given.items(), version);
    }
    return key != null
            && key.attributes().first(Attributes.named("Cryptographic Parameters"))
                instanceof Value.Structure(List<Item> items)
        ? new Parameters(items, version)
        : new Parameters(List.of(), version);
  }

  /** Returns the name of an enumeration's value; null if there is none. */
  @Nullable String choice(String name) {
    Tag tag = Tag.named(name);
    for (Item item : items) {
      if (item.tag() == tag.number() && item.value() instanceof Value.Enumerated value) {
        return KeyBlock.name(tag, value, version);
      }
    }
    return null;
  }

  int number(String name, int otherwise) {
    int tag = Tag.named(name).number();
    for (Item item : items) {
      if (item.tag() == tag && item.value() instanceof Value.Int(int number)) {
        return number;
      }
    }
    return otherwise;
  }

  boolean flag(String name) {
    return items.contains(Tag.named(name).item(new Value.Bool(true)));
  }

  /** Returns the hash function that is named, by itself or in a signature algorithm. */
  DigestAlgorithm hash() {
    String hash = choice("HashingAlgorithm");
    String signature = choice("DigitalSignatureAlgorithm");
    String named = hash == null ? String.valueOf(signature) : hash;
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      String bits = algorithm.label().substring("SHA-".length());
      if (named.equals("SHA_" + bits)
          || named.equals("SHA_" + bits + "WithRSAEncryption")
          || named.equals("ECDSAWithSHA" + bits)) {
        return algorithm;
      }
    }
    throw unsupported("the hash function is SHA-256, SHA-384 or SHA-512");
  }

  /** Returns the hash function of the mask generation; the other, unless it is named. */
  DigestAlgorithm maskHash() {
    String named = choice("MaskGeneratorHashingAlgorithm");
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      if (algorithm.label().replace('-', '_').equals(named)) {
        return algorithm;
      }
    }
    if (named == null) {
      return hash();
    }
    throw unsupported("the mask's hash function is SHA-256, SHA-384 or SHA-512");
  }

  SignatureScheme scheme(KeySpec.Algorithm algorithm) {
    if (algorithm == KeySpec.Algorithm.EC) {
      return SignatureScheme.ECDSA;
    }
    String signature = choice("DigitalSignatureAlgorithm");
    String padding = choice("PaddingMethod");
    if ("PSS".equals(padding) || "RSASSA_PSS".equals(signature)) {
      return SignatureScheme.RSASSA_PSS;
    }
    if (padding == null || padding.equals("PKCS1V1_5")) {
      return SignatureScheme.RSASSA_PKCS1_V1_5;
    }
    throw unsupported("RSA signs with PKCS1 v1.5 or PSS");
  }

  static KmipException unsupported(String what) {
    return new KmipException(ResultReason.named("UnsupportedCryptographicParameters"), what);
  }

  /** Returns the hash function of an HMAC key's algorithm or of the parameters. */
  DigestAlgorithm hmac(ManagedObject key) {
    String named = choice("CryptographicAlgorithm");
    String algorithm = named == null ? String.valueOf(Formats.algorithm(key)) : named;
    for (DigestAlgorithm each : DigestAlgorithm.values()) {
      if (algorithm.equals("HMAC_" + each.label().replace("-", ""))) {
        return each;
      }
    }
    if (choice("HashingAlgorithm") != null) {
      return hash();
    }
    throw unsupported("MACs are HMAC-SHA256, HMAC-SHA384 or HMAC-SHA512");
  }
}
