package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.settings.OwnWitnessProperties;
import org.keywell.signing.ca.TokenSigner;
import org.keywell.testkit.PostgresForTests;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

@Tag("postgresql")
@Timeout(60)
final class OwnWitnessTest {

  private static final String ORIGIN = "test.example/log";

  private final KeyPair logPair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  private final KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  private final NoteKey log = NoteKey.of(ORIGIN, logPair.getPublic());
  private final NoteKey key =
      new NoteKey(
          "w.example/w",
          NoteKey.Type.COSIGNATURE_ED25519,
          Arrays.copyOfRange(pair.getPublic().getEncoded(), 12, 44));
  private HikariDataSource dataSource;
  private volatile boolean signs = true;
  private volatile boolean clockIsInDoubt;

  OwnWitnessTest() throws GeneralSecurityException {}

  @BeforeEach
  void open() {
    dataSource = PostgresForTests.newDatabase().asService().dataSource();
  }

  @AfterEach
  void close() {
    dataSource.close();
  }

  private OwnWitness witness() {
    TokenSigner signer =
        new TokenSigner(
            pair.getPublic(),
            message ->
                signs ? Optional.of(signature(pair.getPrivate(), message)) : Optional.empty());
    OwnWitness witness =
        new OwnWitness(
            new OwnWitnessProperties(key.name(), "keywell-witness", List.of(log.toString())),
            new WitnessedTable(dataSource),
            () -> clockIsInDoubt);
    witness.add(new OwnWitness.Cosigner(key, signer));
    return witness;
  }

  private static byte[] signature(PrivateKey key, byte[] message) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(key);
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TreeHash leaf(int n) {
    return TreeHash.ofLeaf(new byte[] {(byte) n});
  }

  /** A tree of two entries, of which the first is the tree of one. */
  private static TreeHash two(int second) {
    return TreeHash.ofNode(leaf(1), leaf(second));
  }

  private byte[] offer(long old, List<TreeHash> proof, long size, TreeHash root) {
    String text = new Checkpoint(ORIGIN, size, root).text();
    byte[] signed = signature(logPair.getPrivate(), text.getBytes(StandardCharsets.UTF_8));
    NoteSignature line = new NoteSignature(ORIGIN, log.id(), signed);
    return new AddCheckpoint(old, proof, new SignedNote(text, List.of(line))).bytes();
  }

  private static int status(OwnWitness witness, byte[] offer) throws InterruptedException {
    return witness.offered(offer).orElseThrow().status();
  }

  @Test
  void cosignsWhatContinuesTheLatest() throws Exception {
    try (OwnWitness witness = witness()) {
      OwnWitness.Answer first = witness.offered(offer(0, List.of(), 1, leaf(1))).orElseThrow();
      assertThat(first.status()).isEqualTo(200);
      NoteSignature line = NoteSignature.parse(first.body().strip());
      assertThat(key.verifies(new Checkpoint(ORIGIN, 1, leaf(1)).text(), line)).isTrue();
      assertThat(status(witness, offer(1, List.of(leaf(2)), 2, two(2)))).isEqualTo(200);
      assertThat(status(witness, offer(2, List.of(), 2, two(2)))).as("again").isEqualTo(200);
    }
  }

  @Test
  void datesNoCosignatureByAClockInDoubt() throws Exception {
    clockIsInDoubt = true;
    try (OwnWitness witness = witness()) {
      assertThat(witness.offered(offer(0, List.of(), 1, leaf(1)))).isEmpty();

      clockIsInDoubt = false;
      assertThat(status(witness, offer(1, List.of(), 1, leaf(1)))).as("again").isEqualTo(200);
    }
  }

  @Test
  void refusesForksAlsoAfterARestart() throws Exception {
    try (OwnWitness witness = witness()) {
      assertThat(status(witness, offer(0, List.of(), 1, leaf(1)))).isEqualTo(200);
      assertThat(status(witness, offer(1, List.of(leaf(2)), 2, two(2)))).isEqualTo(200);
    }
    try (OwnWitness witness = witness()) {
      assertThat(status(witness, offer(2, List.of(), 2, two(3)))).isEqualTo(422);
      OwnWitness.Answer behind =
          witness.offered(offer(1, List.of(leaf(3)), 2, two(3))).orElseThrow();
      assertThat(behind).isEqualTo(new OwnWitness.Answer(409, "2\n"));
      assertThat(status(witness, offer(2, List.of(), 1, leaf(1)))).isEqualTo(400);
    }
  }

  /** Two instances, each offered one of two histories: only one is ever cosigned. */
  @Test
  void cosignsOneOfTwoThatComeAtOnce() throws Exception {
    try (OwnWitness one = witness();
        OwnWitness other = witness();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      assertThat(status(one, offer(0, List.of(), 1, leaf(1)))).isEqualTo(200);
      List<Callable<Integer>> offers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        OwnWitness asked = i % 2 == 0 ? one : other;
        byte[] fork = offer(1, List.of(leaf(10 + i)), 2, two(10 + i));
        offers.add(() -> status(asked, fork));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> answer : threads.invokeAll(offers)) {
        statuses.add(answer.get());
      }
      assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 409);
    }
  }

  @Test
  void strangersDoNotReachTheDatabase() throws Exception {
    dataSource.close();
    try (OwnWitness witness = witness()) {
      byte[] unknown =
          new String(offer(0, List.of(), 1, leaf(1)), StandardCharsets.UTF_8)
              .replace(ORIGIN, "other.example/log")
              .getBytes(StandardCharsets.UTF_8);
      assertThat(status(witness, unknown)).isEqualTo(404);
      byte[] forged =
          new String(offer(0, List.of(), 1, leaf(1)), StandardCharsets.UTF_8)
              .replace(leaf(1).toString(), leaf(2).toString())
              .getBytes(StandardCharsets.UTF_8);
      assertThat(status(witness, forged)).isEqualTo(403);
      assertThat(status(witness, new byte[] {1})).isEqualTo(400);
    }
  }

  /** What is kept is never forgotten; the log asks again. */
  @Test
  void cosignsOnRepetitionWhatNoTokenSignedAtFirst() throws Exception {
    try (OwnWitness witness = witness()) {
      signs = false;
      assertThat(witness.offered(offer(0, List.of(), 1, leaf(1)))).isEmpty();
      signs = true;
      assertThat(status(witness, offer(0, List.of(), 1, leaf(1)))).isEqualTo(409);
      assertThat(status(witness, offer(1, List.of(), 1, leaf(1)))).isEqualTo(200);
    }
  }
}
