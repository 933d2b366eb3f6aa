package org.keywell.kmip.operation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.CipherCall;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Encrypt} and {@code Decrypt}, in one step each. */
record Ciphers(Custody custody) {

  private static final int BLOCK_BYTES = 16;
  private static final int GCM_IV_BYTES = 12;
  private static final int LEAST_TAG_BYTES = 12;

  /** What both take. */
  private record Request(
      Value.@Nullable Structure parameters,
      byte[] data,
      byte @Nullable [] iv,
      byte @Nullable [] aad,
      byte @Nullable [] tag) {

    static Request take(Fields fields) {
      return new Request(
          Parameters.take(fields),
          Custody.data(fields),
          fields.bytesIfAny("IVCounterNonce"),
          fields.bytesIfAny("AuthenticatedEncryptionAdditionalData"),
          fields.bytesIfAny("AuthenticatedEncryptionTag"));
    }
  }

  List<Item> encrypt(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Request request = Request.take(fields);
    ManagedObject key = custody.use("Encrypt", call);
    custody.requireUsable(key, "Encrypt", true);
    Parameters parameters = Parameters.of(request.parameters(), key, call.version());
    FieldsBuilder answer = Identifiers.answer(key);
    if (key.type() == ObjectType.PUBLIC_KEY
        && key.material() instanceof Material.Plain(byte[] info)) {
      byte[] encrypted =
          PublicEncryption.encrypt(KeyForms.publicKey(info), parameters, request.data());
      return answer.bytes("Data", encrypted).items();
    }
    requireAes(key);
    CipherCall.Mode mode = mode(parameters);
    boolean gcm = mode == CipherCall.Mode.GCM;
    byte[] made = null;
    if (request.iv() == null && mode != CipherCall.Mode.ECB) {
      if (request.parameters() != null && !parameters.flag("RandomIV") && !gcm) {
        throw new KmipException(
            "InvalidMessage", "IVCounterNonce is not given, and RandomIV is not asked for");
      }
      made = custody.keys().random(gcm ? GCM_IV_BYTES : BLOCK_BYTES);
    }
    CipherCall cipher = call(mode, made == null ? request.iv() : made, request, parameters);
    byte[] padded = padsHere(parameters) ? Padding.add(request.data()) : request.data();
    byte[] encrypted = custody.keys().encrypt(custody.blob(key), cipher, padded);
    int length = encrypted.length - (gcm ? cipher.tagBytes() : 0);
    answer.bytes("Data", Arrays.copyOf(encrypted, length)).bytes("IVCounterNonce", made);
    if (gcm) {
      byte[] tag = Arrays.copyOfRange(encrypted, length, encrypted.length);
      answer.bytes("AuthenticatedEncryptionTag", tag);
    }
    return answer.items();
  }

  List<Item> decrypt(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Request request = Request.take(fields);
    ManagedObject key = custody.use("Decrypt", call);
    custody.requireUsable(key, "Decrypt", false);
    requireAes(key);
    Parameters parameters = Parameters.of(request.parameters(), key, call.version());
    CipherCall.Mode mode = mode(parameters);
    if (request.iv() == null && mode != CipherCall.Mode.ECB) {
      throw new KmipException("InvalidMessage", "IVCounterNonce is not given");
    }
    byte[] data = request.data();
    byte[] tag = request.tag();
    if (mode == CipherCall.Mode.GCM) {
      if (tag == null) {
        throw new KmipException("MissingData", "AuthenticatedEncryptionTag is not given");
      }
      data = ByteBuffer.allocate(data.length + tag.length).put(data).put(tag).array();
    }
    CipherCall cipher = call(mode, request.iv(), request, parameters);
    byte[] clear = custody.keys().decrypt(custody.blob(key), cipher, data);
    byte[] unpadded = padsHere(parameters) ? Padding.remove(clear) : clear;
    return Identifiers.answer(key).bytes("Data", unpadded).items();
  }

  private static void requireAes(ManagedObject key) {
    if (!"AES".equals(key.attributes().choice("Cryptographic Algorithm"))) {
      throw Parameters.unsupported("AES keys encrypt and decrypt, RSA public keys encrypt");
    }
  }

  /** The HSM pads in CBC only. */
  private static boolean padsHere(Parameters parameters) {
    return "PKCS5".equals(parameters.choice("PaddingMethod"))
        && "ECB".equals(parameters.choice("BlockCipherMode"));
  }

  private static CipherCall.Mode mode(Parameters parameters) {
    String mode = parameters.choice("BlockCipherMode");
    String padding = parameters.choice("PaddingMethod");
    boolean padded = "PKCS5".equals(padding);
    if (padding != null && !padded && !padding.equals("None")) {
      throw Parameters.unsupported("the padding is None or PKCS5");
    }
    if (padded && !"CBC".equals(mode) && !"ECB".equals(mode)) {
      throw Parameters.unsupported("PKCS5 padding goes with CBC and ECB");
    }
    return switch (mode) {
      case "CBC" -> padded ? CipherCall.Mode.CBC_PAD : CipherCall.Mode.CBC;
      case "ECB" -> CipherCall.Mode.ECB;
      case "CTR" -> CipherCall.Mode.CTR;
      case "GCM" -> CipherCall.Mode.GCM;
      case null, default ->
          throw Parameters.unsupported("the block cipher mode is CBC, ECB, CTR or GCM");
    };
  }

  private static CipherCall call(
      CipherCall.Mode mode, byte @Nullable [] iv, Request request, Parameters parameters) {
    byte[] none = {};
    int tag = request.tag() == null ? BLOCK_BYTES : request.tag().length;
    int tagBytes = mode == CipherCall.Mode.GCM ? tagBytes(parameters, tag) : 0;
    try {
      return new CipherCall(
          mode, iv == null ? none : iv, request.aad() == null ? none : request.aad(), tagBytes);
    } catch (IllegalArgumentException e) {
      throw new KmipException("InvalidField", String.valueOf(e.getMessage()), e);
    }
  }

  private static int tagBytes(Parameters parameters, int otherwise) {
    boolean given = parameters.version().isAtLeast(ProtocolVersion.V1_4);
    int bytes = given ? parameters.number("TagLength", otherwise) : otherwise;
    if (bytes < LEAST_TAG_BYTES || bytes > BLOCK_BYTES) {
      throw Parameters.unsupported("a tag has 12 to 16 bytes");
    }
    return bytes;
  }
}
