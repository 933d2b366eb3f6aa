package org.keywell.kmip.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Cryptographic parameters: those of the request or else the key's first ones. Refuses with {@link
 * KmipException}.
 */
record Parameters(List<Item> items, ProtocolVersion version) {

  /** Takes a request's; null if it names none. */
  static Value.@Nullable Structure take(Fields fields) {
    return fields.optional("CryptographicParameters", Value.Structure.class);
  }

  static Parameters of(
      Value.@Nullable Structure given, @Nullable ManagedObject key, ProtocolVersion version) {
    Value.@Nullable Structure used =
        given != null || key == null
            ? given
            : key.attributes().first("Cryptographic Parameters", Value.Structure.class);
    return new Parameters(used == null ? List.of() : used.items(), version);
  }

  private @Nullable Value value(String name) {
    int tag = Tag.named(name).number();
    for (Item item : items) {
      if (item.tag() == tag) {
        return item.value();
      }
    }
    return null;
  }

  /** Returns the name of an enumeration's value; null if there is none. */
  @Nullable String choice(String name) {
    return value(name) instanceof Value.Enumerated value
        ? Fields.nameOf(name, value, version)
        : null;
  }

  int number(String name, int otherwise) {
    return value(name) instanceof Value.Int(int number) ? number : otherwise;
  }

  boolean flag(String name) {
    return value(name) instanceof Value.Bool(boolean set) && set;
  }

  /** Returns the hash function that is named, by itself or in a signature algorithm. */
  DigestAlgorithm hash() {
    String hash = choice("HashingAlgorithm");
    String named = hash == null ? choice("DigitalSignatureAlgorithm") : hash;
    DigestAlgorithm digest = digest(named, "SHA_%s", "SHA_%sWithRSAEncryption", "ECDSAWithSHA%s");
    if (digest == null) {
      throw unsupported("the hash function is SHA-256, SHA-384 or SHA-512");
    }
    return digest;
  }

  /** Returns the hash function of the mask generation; the other, unless it is named. */
  DigestAlgorithm maskHash() {
    String named = choice("MaskGeneratorHashingAlgorithm");
    DigestAlgorithm digest = named == null ? hash() : digest(named, "SHA_%s");
    if (digest == null) {
      throw unsupported("the mask's hash function is SHA-256, SHA-384 or SHA-512");
    }
    return digest;
  }

  /** Returns the hash function of an HMAC key's algorithm or of the parameters. */
  DigestAlgorithm hmac(ManagedObject key) {
    String named = choice("CryptographicAlgorithm");
    String algorithm = named == null ? key.attributes().choice("Cryptographic Algorithm") : named;
    DigestAlgorithm digest = digest(algorithm, "HMAC_SHA%s");
    if (digest == null && choice("HashingAlgorithm") == null) {
      throw unsupported("MACs are HMAC-SHA256, HMAC-SHA384 or HMAC-SHA512");
    }
    return digest == null ? hash() : digest;
  }

  /** Returns the function that is named in one of these forms, each with its bits. */
  private static @Nullable DigestAlgorithm digest(@Nullable String named, String... forms) {
    for (DigestAlgorithm each : DigestAlgorithm.values()) {
      String bits = each.label().substring("SHA-".length());
      for (String form : forms) {
        if (form.replace("%s", bits).equals(named)) {
          return each;
        }
      }
    }
    return null;
  }

  SignatureScheme scheme(KeySpec.Algorithm algorithm) {
    if (algorithm == KeySpec.Algorithm.EC) {
      return SignatureScheme.ECDSA;
    }
    String padding = choice("PaddingMethod");
    if ("PSS".equals(padding) || "RSASSA_PSS".equals(choice("DigitalSignatureAlgorithm"))) {
      return SignatureScheme.RSASSA_PSS;
    }
    if (padding == null || padding.equals("PKCS1V1_5")) {
      return SignatureScheme.RSASSA_PKCS1_V1_5;
    }
    throw unsupported("RSA signs with PKCS1 v1.5 or PSS");
  }

  static KmipException unsupported(String what) {
    return new KmipException("UnsupportedCryptographicParameters", what);
  }
}
