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
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Sign}, in the HSM, and {@code Signature Verify}, which needs none. */
record Signatures(Custody custody) {

  /** What is signed: data, or else its digest. */
  record Signed(
      Value.@Nullable Structure parameters, byte @Nullable [] data, byte @Nullable [] digested) {

    private static Signed take(Fields fields) {
      Signed signed =
          new Signed(
              Parameters.take(fields),
              fields.bytesIfAny("Data"),
              fields.bytesIfAny("DigestedData"));
      if ((signed.data == null) == (signed.digested == null)) {
        throw new KmipException("MissingData", "expected either Data or DigestedData");
      }
      return signed;
    }

    byte[] digest(DigestAlgorithm algorithm) {
      if (data != null) {
        return Keyless.digest(algorithm, data);
      }
      if (digested == null || digested.length != algorithm.lengthBytes()) {
        throw new KmipException(
            "InvalidField",
            "DigestedData is no digest of %s, which has %d bytes"
                .formatted(algorithm, algorithm.lengthBytes()));
      }
      return digested;
    }
  }

  List<Item> sign(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Signed signed = Signed.take(fields);
    ManagedObject key = custody.use("Sign", call);
    if (key.type() != ObjectType.PRIVATE_KEY) {
      throw new KmipException("InvalidObjectType", "Sign needs a private key");
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
            publicHalf(key),
            custody.blob(key));
    byte[] signature = custody.keys().sign(wrapped, scheme, hash, signed.digest(hash));
    return Identifiers.answer(key).bytes("SignatureData", signature).items();
  }

  /** Returns what verifies the key's signatures; empty if it is not known. */
  private static byte[] publicHalf(ManagedObject key) {
    return key.material() instanceof Material.Wrapped wrapped && wrapped.publicHalf() != null
        ? wrapped.publicHalf()
        : new byte[0];
  }

  List<Item> verify(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Signed signed = Signed.take(fields);
    byte[] signature = fields.bytes("SignatureData");
    ManagedObject key = custody.use("Signature Verify", call);
    if (!(key.material() instanceof Material.Plain(byte[] info))
        || key.type() != ObjectType.PUBLIC_KEY) {
      throw new KmipException("InvalidObjectType", "Signature Verify needs a public key");
    }
    custody.requireUsable(key, "Verify", false);
    Parameters parameters = Parameters.of(signed.parameters(), key, call.version());
    PublicKey publicKey = KeyForms.publicKey(info);
    boolean rsa = publicKey.getAlgorithm().equals("RSA");
    DigestAlgorithm hash = parameters.hash();
    SignatureScheme scheme = parameters.scheme(rsa ? KeySpec.Algorithm.RSA : KeySpec.Algorithm.EC);
    boolean valid = Verification.verifies(publicKey, scheme, hash, signed, signature);
    return Identifiers.answer(key).choice("ValidityIndicator", valid ? "Valid" : "Invalid").items();
  }

  private static KeySpec spec(ManagedObject key) {
    boolean rsa = "RSA".equals(key.attributes().choice("Cryptographic Algorithm"));
    int bits = key.attributes().number("Cryptographic Length");
    for (KeySpec spec : KeySpec.values()) {
      if (spec.bits() == bits
          && spec.algorithm() == (rsa ? KeySpec.Algorithm.RSA : KeySpec.Algorithm.EC)) {
        return spec;
      }
    }
    throw Parameters.unsupported("the HSM does not sign with keys of this kind");
  }
}
