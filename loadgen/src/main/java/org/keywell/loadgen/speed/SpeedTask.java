package org.keywell.loadgen.speed;

import java.io.IOException;
import java.util.List;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * A request that can be sent many times, and what its response must have.
 *
 * @param identifiers tags of the identifiers in it
 * @param keyBytes length of the key in it, wrapped or not; 0: it has none
 */
record SpeedTask(byte[] request, List<String> identifiers, int keyBytes) {
  private static final int AES_BYTES = 32;

  /** NIST key wrap adds eight bytes. */
  private static final int WRAPPED_BYTES = AES_BYTES + 8;

  private static final int ENCRYPT_DECRYPT = 0xC;
  private static final int WRAP_UNWRAP = 0x30;
  private static final int SIGN = 1;
  private static final int VERIFY = 2;

  /** Returns the task of an operation, for which keys may have to be created. */
  static SpeedTask of(SpeedOperation operation, KmipClient client) throws IOException {
    return switch (operation) {
      case GET -> get(create(client), AES_BYTES);
      case WRAP -> {
        String key = create(client);
        String wrapping = create(client);
        Item _ = client.ask(KmipMessage.request("Activate", KmipMessage.id(wrapping)));
        yield get(key, WRAPPED_BYTES, under(wrapping));
      }
      case CREATE_AES -> createAes();
      case CREATE_EC -> createPair("EC", 256);
      case RSA_FROM_POOL, RSA_WITHOUT_POOL -> createPair("RSA", 2048);
    };
  }

  private static String create(KmipClient client) throws IOException {
    return KmipMessage.id(client.ask(createAes().request), "UniqueIdentifier");
  }

  private static SpeedTask get(String key, int bytes, Item... more) {
    Item[] payload = new Item[more.length + 1];
    payload[0] = KmipMessage.id(key);
    System.arraycopy(more, 0, payload, 1, more.length);
    return new SpeedTask(KmipMessage.request("Get", payload), List.of("UniqueIdentifier"), bytes);
  }

  private static Item under(String wrappingKey) {
    return Messages.structure(
        "KeyWrappingSpecification",
        Tag.named("WrappingMethod").item("Encrypt"),
        Messages.structure(
            "EncryptionKeyInformation",
            KmipMessage.id(wrappingKey),
            Messages.structure(
                "CryptographicParameters", Tag.named("BlockCipherMode").item("NISTKeyWrap"))),
        Tag.named("EncodingOption").item("NoEncoding"));
  }

  private static SpeedTask createAes() {
    return new SpeedTask(
        KmipMessage.request(
            "Create",
            Tag.named("ObjectType").item("SymmetricKey"),
            Messages.structure(
                "TemplateAttribute",
                algorithm("AES"),
                length(256),
                usage(ENCRYPT_DECRYPT | WRAP_UNWRAP))),
        List.of("UniqueIdentifier"),
        0);
  }

  private static SpeedTask createPair(String algorithm, int bits) {
    return new SpeedTask(
        KmipMessage.request(
            "CreateKeyPair",
            Messages.structure("CommonTemplateAttribute", algorithm(algorithm), length(bits)),
            Messages.structure("PrivateKeyTemplateAttribute", usage(SIGN)),
            Messages.structure("PublicKeyTemplateAttribute", usage(VERIFY))),
        List.of("PrivateKeyUniqueIdentifier", "PublicKeyUniqueIdentifier"),
        0);
  }

  private static Item algorithm(String name) {
    return Messages.attribute(
        "Cryptographic Algorithm", Tag.named("CryptographicAlgorithm").item(name));
  }

  private static Item length(int bits) {
    return Messages.attribute(
        "Cryptographic Length", Messages.integer("CryptographicLength", bits));
  }

  private static Item usage(int mask) {
    return Messages.attribute(
        "Cryptographic Usage Mask", Messages.integer("CryptographicUsageMask", mask));
  }

  /**
   * Performs it once.
   *
   * @throws IOException if it fails, or its response lacks what it must have
   */
  void perform(KmipClient client) throws IOException {
    Item response = client.ask(request);
    for (String tag : identifiers) {
      String _ = KmipMessage.id(response, tag);
    }
    if (keyBytes > 0) {
      Value key =
          Messages.find(response, "KeyMaterial")
              .or(() -> Messages.find(response, "KeyValue"))
              .orElse(null);
      if (!(key instanceof Value.Bytes bytes) || bytes.length() != keyBytes) {
        throw new IOException("the response has no key of %d bytes".formatted(keyBytes));
      }
    }
  }
}
