package org.keywell.keypool.store;

final class InMemoryWrappedKeyStoreTest extends WrappedKeyStoreContract {

  @Override
  WrappedKeyStore store() {
    return new InMemoryWrappedKeyStore();
  }
}
