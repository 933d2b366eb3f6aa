package org.keywell.kmip.operation;

import java.security.PublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Sign}, in the HSM, and {@code Signature Verify}, which needs none. */
final class Signatures {

  private static final Tag DATA = Tag.named("Data");
  private static final Tag DIGESTED = Tag.named("DigestedData");
  private static final Tag SIGNATURE = Tag.named("SignatureData");
  private static final Tag VALIDITY = Tag.named("ValidityIndicator");

  private final Custody custody;

  Signatures(Custody custody) {
    this.custody = custody;
  }

  /** The data that is signed, or else its digest. */
  private record Signed(
      Value.@Nullable Structure parameters, byte @Nullable [] data, byte[] digest) {

    static Signed take(OperationCall<?> call, Fields fields) {
      Value.@Nullable Structure parameters = Parameters.take(fields);
      Value.@Nullable Bytes data = fields.optional(DATA, Value.Bytes.class);
      Value.@Nullable Bytes digested =
          DIGESTED.span().includes(call.version())
              ? fields.optional(DIGESTED, Value.Bytes.class)
              : null;
      if ((data == null) == (digested == null)) {
        throw new KmipException(
            ResultReason.named("MissingData"), "expected either Data or DigestedData");
      }
      return new Signed(
          parameters,
          data == null ? null : data.value(),
          digested == null ? new byte[0] : digested.value());
    }

    byte[] digest(DigestAlgorithm algorithm) {
      byte[] result = data == null ? digest : Hash.of(algorithm, data);
      if (result.length != algorithm.lengthBytes()) {
        throw new KmipException(
            ResultReason.INVALID_FIELD,
            "DigestedData has %d bytes, %s has %d"
                .formatted(result.length, algorithm, algorithm.lengthBytes()));
      }
      return result;
    }
  }

  List<Item> sign(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Signed signed = Signed.take(call, fields);
    ManagedObject key = custody.use("Sign", call, fields);
    if (key.type() != ObjectType.PRIVATE_KEY) {
      throw new KmipException(ResultReason.named("InvalidObjectType"), "Sign needs a private key");
    }
    custody.requireUsable(key, "Sign", true);
    Parameters parameters = Parameters.of(signed.parameters(), key, call.version());
    KeySpec spec = spec(key);
    DigestAlgorithm hash = parameters.hash();
    SignatureScheme scheme = parameters.scheme(spec.algorithm());
    WrappedKey wrapped =
        new WrappedKey(
            spec,
            custody.hsm().wrappingKeyId(),
            custody.hsm().wrapMechanism(),
            new byte[0],
            custody.blob(key));
    byte[] signature = custody.keys().sign(wrapped, scheme, hash, signed.digest(hash));
    return List.of(Identifiers.item(key.id()), SIGNATURE.item(new Value.Bytes(signature)));
  }

  List<Item> verify(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Signed signed = Signed.take(call, fields);
    byte[] signature = fields.required(SIGNATURE, Value.Bytes.class).value();
    ManagedObject key = custody.use("Signature Verify", call, fields);
    if (!(key.material() instanceof Material.Plain(byte[] info))
        || key.type() != ObjectType.PUBLIC_KEY) {
      throw new KmipException(
          ResultReason.named("InvalidObjectType"), "Signature Verify needs a public key");
    }
    custody.requireUsable(key, "Verify", false);
    Parameters parameters = Parameters.of(signed.parameters(), key, call.version());
    PublicKey publicKey = KeyForms.publicKey(info);
    KeySpec.Algorithm algorithm =
        publicKey.getAlgorithm().equals("RSA") ? KeySpec.Algorithm.RSA : KeySpec.Algorithm.EC;
    DigestAlgorithm hash = parameters.hash();
    SignatureScheme scheme = parameters.scheme(algorithm);
    boolean valid =
        signed.data() != null
            ? Verification.ofData(publicKey, scheme, hash, signed.data(), signature)
            : Verification.ofDigest(publicKey, scheme, hash, signed.digest(hash), signature);
    return List.of(Identifiers.item(key.id()), VALIDITY.item(valid ? "Valid" : "Invalid"));
  }

  private static KeySpec spec(ManagedObject key) {
    String algorithm = String.valueOf(Formats.algorithm(key));
    int bits =
        key.attributes().first(Attributes.named("Cryptographic Length"))
                instanceof Value.Int(int length)
            ? length
            : 0;
    for (KeySpec spec : KeySpec.values()) {
      boolean rsa = spec.algorithm() == KeySpec.Algorithm.RSA;
      if (spec.bits() == bits && rsa == algorithm.equals("RSA")) {
        return spec;
      }
    }
    throw Parameters.unsupported("the HSM does not sign with keys of this kind");
  }
}
