package org.keywell.bench.tables.measure;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Rows for the database that are like those of wrapped keys, byte for byte as long, without the
 * minutes that so many keys take to make: one key's, each with another number in its public key,
 * which the database wants unique. None is ever unwrapped.
 */
final class StandInKeys {
  /** No device has a wrapping key of this name, so nothing can take them for keys. */
  static final String WRAPPING_KEY_ID = "stand-in";

  private final WrappedKey like;
  private int made;

  StandInKeys(WrappedKey like) {
    this.like = like;
  }

  /** So many, none of which was there before. */
  List<WrappedKey> next(int count) {
    return IntStream.range(0, count).mapToObj(_ -> next()).toList();
  }

  private WrappedKey next() {
    byte[] publicKey = like.publicKey().clone();
    // The number goes into the middle of the modulus.
    ByteBuffer.wrap(publicKey).putInt(publicKey.length / 2, made++);
    return new WrappedKey(
        like.spec(), WRAPPING_KEY_ID, like.wrapMechanism(), publicKey, like.wrappedPrivateKey());
  }
}
