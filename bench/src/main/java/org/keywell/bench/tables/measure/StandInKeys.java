package org.keywell.bench.tables.measure;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Database rows as long as those of wrapped keys, without the minutes that generating so many keys
 * takes: copies of one key, each with a different number in its public key, which the database
 * requires to be unique. None is ever unwrapped.
 */
final class StandInKeys {
  /** No device has a wrapping key of this name, so nothing can mistake them for keys. */
  static final String WRAPPING_KEY_ID = "stand-in";

  private final WrappedKey like;
  private int made;

  StandInKeys(WrappedKey like) {
    this.like = like;
  }

  /** Returns {@code count} new rows, all different from earlier ones. */
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
