package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.CipherCall;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Encrypt} and {@code Decrypt}, in one step each. */
final class Ciphers {

  private static final Tag DATA = Tag.named("Data");
  private static final Tag IV = Tag.named("IVCounterNonce");
  private static final Tag AAD = Tag.named("AuthenticatedEncryptionAdditionalData");
  private static final Tag TAG = Tag.named("AuthenticatedEncryptionTag");

  private static final int BLOCK_BYTES = 16;
  private static final int GCM_IV_BYTES = 12;
  private static final int LEAST_TAG_BYTES = 12;

  private final Custody custody;

  Ciphers(Custody custody) {
    this.custody = custody;
  }

  /** What both take. */
  private record Request(
      Value.@Nullable Structure parameters,
      byte[] data,
      byte @Nullable [] iv,
      byte[] aad,
      byte @Nullable [] tag) {

    static Request take(OperationCall<?> call, Fields fields) {
      Value.@Nullable Structure parameters = Parameters.take(fields);
      byte[] data = fields.required(DATA, Value.Bytes.class).value();
      byte[] iv = bytes(fields.optional(IV, Value.Bytes.class));
      boolean authenticated = AAD.span().includes(call.version());
      byte[] aad = authenticated ? bytes(fields.optional(AAD, Value.Bytes.class)) : null;
      byte[] tag = authenticated ? bytes(fields.optional(TAG, Value.Bytes.class)) : null;
      return new Request(parameters, data, iv, aad == null ? new byte[0] : aad, tag);
    }

    private static byte @Nullable [] bytes(Value.@Nullable Bytes value) {
      return value == null ? null : value.value();
    }
  }

  List<Item> encrypt(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Request request = Request.take(call, fields);
    ManagedObject key = custody.use("Encrypt", call, fields);
    custody.requireUsable(key, "Encrypt", true);
    Parameters parameters = Parameters.of(request.parameters(), key, call.version());
    if (key.type() == ObjectType.PUBLIC_KEY
        && key.material() instanceof Material.Plain(byte[] info)) {
      byte[] encrypted =
          PublicEncryption.encrypt(KeyForms.publicKey(info), parameters, request.data());
      return List.of(Identifiers.item(key.id()), DATA.item(new Value.Bytes(encrypted)));
    }
    requireAes(key);
    CipherCall.Mode mode = mode(parameters);
    byte[] iv = request.iv();
    boolean made = iv == null && mode != CipherCall.Mode.ECB;
    if (made) {
      if (request.parameters() != null
          && !parameters.flag("RandomIV")
          && mode != CipherCall.Mode.GCM) {
        throw new KmipException(
            ResultReason.named("MissingInitializationVector"),
            "IVCounterNonce is not given, and RandomIV is not asked for");
      }
      iv = custody.keys().random(mode == CipherCall.Mode.GCM ? GCM_IV_BYTES : BLOCK_BYTES);
    }
    CipherCall cipher = call(mode, iv, request, parameters);
    byte[] encrypted =
        custody
            .keys()
            .encrypt(
                custody.blob(key),
                cipher,
                padsHere(parameters) ? Padding.add(request.data()) : request.data());
    int length = encrypted.length - (mode == CipherCall.Mode.GCM ? cipher.tagBytes() : 0);
    List<Item> answer = new ArrayList<>();
    answer.add(Identifiers.item(key.id()));
    answer.add(DATA.item(new Value.Bytes(Arrays.copyOf(encrypted, length))));
    if (made && iv != null) {
      answer.add(IV.item(new Value.Bytes(iv)));
    }
    if (mode == CipherCall.Mode.GCM) {
      answer.add(
          TAG.item(new Value.Bytes(Arrays.copyOfRange(encrypted, length, encrypted.length))));
    }
    return answer;
  }

  List<Item> decrypt(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Request request = Request.take(call, fields);
    ManagedObject key = custody.use("Decrypt", call, fields);
    custody.requireUsable(key, "Decrypt", false);
    requireAes(key);
    Parameters parameters = Parameters.of(request.parameters(), key, call.version());
    CipherCall.Mode mode = mode(parameters);
    if (request.iv() == null && mode != CipherCall.Mode.ECB) {
      throw new KmipException(
          ResultReason.named("MissingInitializationVector"), "IVCounterNonce is not given");
    }
    byte[] data = request.data();
    if (mode == CipherCall.Mode.GCM) {
      if (request.tag() == null) {
        throw new KmipException(
            ResultReason.named("MissingData"), "AuthenticatedEncryptionTag is not given");
      }
      data = Arrays.copyOf(data, data.length + request.tag().length);
      System.arraycopy(request.tag(), 0, data, request.data().length, request.tag().length);
    }
    byte[] clear =
        custody
            .keys()
            .decrypt(custody.blob(key), call(mode, request.iv(), request, parameters), data);
    byte[] unpadded = padsHere(parameters) ? Padding.remove(clear) : clear;
    return List.of(Identifiers.item(key.id()), DATA.item(new Value.Bytes(unpadded)));
  }

  private static void requireAes(ManagedObject key) {
    if (!"AES".equals(Formats.algorithm(key))) {
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
    int tag = request.tag() == null ? BLOCK_BYTES : request.tag().length;
    return new CipherCall(
        mode,
        iv == null ? new byte[0] : iv,
        request.aad(),
        mode == CipherCall.Mode.GCM ? tagBytes(parameters, tag) : 0);
  }

  private static int tagBytes(Parameters parameters, int otherwise) {
    int bytes =
        parameters.version().isAtLeast(ProtocolVersion.V1_4)
            ? parameters.number("TagLength", otherwise)
            : otherwise;
    if (bytes < LEAST_TAG_BYTES || bytes > BLOCK_BYTES) {
      throw Parameters.unsupported("a tag has 12 to 16 bytes");
    }
    return bytes;
  }
}
