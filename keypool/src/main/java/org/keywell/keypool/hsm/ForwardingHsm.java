package org.keywell.keypool.hsm;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Passes calls on to another device. Implementations decide what becomes of those that create or
 * destroy keys.
 */
public interface ForwardingHsm extends Hsm {

  /** Returns the device behind it, which it owns: {@link #close} closes that. */
  Hsm device();

  @Override
  default String tokenId() {
    return device().tokenId();
  }

  @Override
  default String wrappingKeyId() {
    return device().wrappingKeyId();
  }

  @Override
  default List<String> wrappingKeyIds() {
    return device().wrappingKeyIds();
  }

  @Override
  default String wrapMechanism() {
    return device().wrapMechanism();
  }

  @Override
  default boolean makes(KeySpec spec) {
    return device().makes(spec);
  }

  @Override
  default WrappedKey wrap(LiveKeyPair keyPair) {
    return device().wrap(keyPair);
  }

  @Override
  default byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    return device().sign(key, scheme, digestAlgorithm, digest);
  }

  @Override
  default void signed(boolean verifies) {
    device().signed(verifies);
  }

  @Override
  default List<KeyHandle> takeUndestroyed() {
    return device().takeUndestroyed();
  }

  @Override
  default long countLiveKeys() {
    return device().countLiveKeys();
  }

  @Override
  default long countStrayTokenKeys(Set<String> known) {
    return device().countStrayTokenKeys(known);
  }

  @Override
  default List<TokenData> data(String prefix) {
    return device().data(prefix);
  }

  @Override
  default void keepData(TokenData data) {
    device().keepData(data);
  }

  @Override
  default void removeData(String name) {
    device().removeData(name);
  }

  @Override
  default HsmHealth health() {
    return device().health();
  }

  @Override
  default boolean failsToSign() {
    return device().failsToSign();
  }

  @Override
  default boolean isFullToUnwrap() {
    return device().isFullToUnwrap();
  }

  @Override
  default boolean isFullToGenerate() {
    return device().isFullToGenerate();
  }

  @Override
  default void probe() {
    device().probe();
  }

  @Override
  default void prove(Function<KeyHandle, Destruction> destroyer) {
    device().prove(destroyer);
  }

  @Override
  default long epoch() {
    return device().epoch();
  }

  @Override
  default void lose(long epoch, String why) {
    device().lose(epoch, why);
  }

  @Override
  default void onLoss(Runnable listener) {
    device().onLoss(listener);
  }

  @Override
  default void reopen() {
    device().reopen();
  }

  @Override
  default void close() {
    device().close();
  }
}
