package org.keywell.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A content key and a nonce meet once; a key ends after the messages it is for. */
final class ContentKeysTest {

  private static final Party KEYWELL = Party.rsa("keywell");

  @Test
  void threadsNeverShareKeyAndNonce() throws Exception {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      int reuse = 1 + random.nextInt(70);
      int perThread = 1 + random.nextInt(200);
      Map<List<Byte>, Set<List<Byte>>> noncesByKey = new HashMap<>();
      List<ContentKeys.Use> uses =
          concurrently(new ContentKeys(KEYWELL.certificate(), reuse), 4, perThread);
      for (ContentKeys.Use use : uses) {
        Set<List<Byte>> nonces =
            noncesByKey.computeIfAbsent(list(use.key().getEncoded()), key -> new HashSet<>());
        assertThat(nonces.add(list(use.nonce()))).as("a nonce is new for its key").isTrue();
      }
      int messages = 4 * perThread;
      assertThat(noncesByKey).hasSize((messages + reuse - 1) / reuse);
      assertThat(noncesByKey.values()).allMatch(nonces -> nonces.size() <= reuse);
    }
  }

  private static List<ContentKeys.Use> concurrently(ContentKeys keys, int threads, int each)
      throws Exception {
    Callable<List<ContentKeys.Use>> work =
        () -> {
          List<ContentKeys.Use> uses = new ArrayList<>();
          for (int n = 0; n < each; n++) {
            uses.add(keys.next());
          }
          return uses;
        };
    List<ContentKeys.Use> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<List<ContentKeys.Use>> uses :
          executor.invokeAll(java.util.Collections.nCopies(threads, work), 60, TimeUnit.SECONDS)) {
        all.addAll(uses.get());
      }
    }
    return all;
  }

  @Test
  void recipientsStayWithTheKey() {
    ContentKeys keys = new ContentKeys(KEYWELL.certificate(), 2);
    List<ContentKeys.Use> uses = List.of(keys.next(), keys.next(), keys.next());
    assertThat(uses.get(1).recipients()).isEqualTo(uses.get(0).recipients());
    assertThat(uses.get(2).recipients()).isNotEqualTo(uses.get(0).recipients());
  }

  @Test
  void reuseHasLimits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sealer.confidentiality(KEYWELL.certificate(), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Sealer.confidentiality(KEYWELL.certificate(), Sealer.UNLIMITED_REUSE + 1));
  }

  /** More keys than are remembered, in turns: each is still decrypted when it comes back. */
  @Test
  void forgottenKeysAreDecryptedAgain() throws Exception {
    Content content = Messages.small();
    Opener opener = Opener.confidentiality(Messages.MAX, KEYWELL.key(), KEYWELL.certificate(), 2);
    List<Sealer> sealers = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      sealers.add(Sealer.confidentiality(KEYWELL.certificate(), 32));
    }
    for (int n = 0; n < 20; n++) {
      Messages.same(opener.open(sealers.get(n % 5).seal(content)), content);
    }
  }

  private static List<Byte> list(byte[] bytes) {
    Byte[] boxed = new Byte[bytes.length];
    Arrays.setAll(boxed, at -> bytes[at]);
    return List.of(boxed);
  }
}
