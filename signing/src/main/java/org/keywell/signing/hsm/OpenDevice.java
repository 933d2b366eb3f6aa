package org.keywell.signing.hsm;

import java.util.List;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.signing.database.Rotation;

/**
 * An open device.
 *
 * @param weight its share of the signatures relative to other devices
 * @param config identifies its token
 * @param pkcs11 the device itself, at its own speed
 * @param hsm what all but the CA use: the device, or the device slowed down
 */
public record OpenDevice(
    String name,
    DeviceRole role,
    int weight,
    Pkcs11Config config,
    HsmCredentials credentials,
    Pkcs11Hsm pkcs11,
    Hsm hsm) {

  /** Returns how many keys it unwraps concurrently. */
  public int unwrapSessions() {
    return config.unwrapSessions();
  }

  /**
   * Uses its wrapping keys as their rotations say, and looks into the token if one was made or
   * destroyed.
   *
   * @return the choice that was made
   * @throws HsmException if the device fails; the keys known before are then used as chosen
   */
  public GenerationChoice follow(List<Rotation> rotations) {
    GenerationChoice choice = choose(rotations);
    if (choice.looksAgain()) {
      pkcs11.lookForWrappingKeys();
      choice = choose(rotations);
    }
    return choice;
  }

  private GenerationChoice choose(List<Rotation> rotations) {
    GenerationChoice choice = GenerationChoice.of(pkcs11.foundWrappingKeyIds(), rotations);
    pkcs11.useWrappingKeys(choice.use());
    return choice;
  }

  /** Returns the ids of the wrapping keys last seen in the token, used or not. */
  public List<String> foundWrappingKeyIds() {
    return pkcs11.foundWrappingKeyIds();
  }

  /** Whether a wrapping key, in the token or not, has the label of the settings, or follows one. */
  public boolean isOfLabel(String wrappingKeyId) {
    return WrappingKeyGenerations.isOfLabel(wrappingKeyId, config.wrappingKeyLabel());
  }

  /**
   * Whether the token has an AES key under an id.
   *
   * @throws HsmException if the device fails
   */
  public boolean hasSecretKey(byte[] id) {
    return pkcs11.tokenAesKeys().has(id);
  }

  /** Returns the ids of the wrapping keys that were destroyed in the token. */
  public List<String> destroyedWrappingKeyIds() {
    return data(WrappingKeyGenerations.DESTROYED).stream()
        .map(note -> note.name().substring(WrappingKeyGenerations.DESTROYED.length()))
        .toList();
  }

  /** As {@link Hsm#data}. */
  public List<TokenData> data(String prefix) {
    return hsm.data(prefix);
  }

  /** As {@link Hsm#keepData}. */
  public void keepData(TokenData data) {
    hsm.keepData(data);
  }
}
