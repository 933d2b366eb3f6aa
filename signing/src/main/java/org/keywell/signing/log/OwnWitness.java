package org.keywell.signing.log;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.settings.OwnWitnessProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.ca.Ed25519Signers;
import org.keywell.signing.ca.TokenSigner;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.Cosignatures;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.WitnessRules;
import org.keywell.tlog.WitnessRules.Verdict;

/**
 * This deployment as a witness of others' logs (C2SP tlog-witness): cosigns a checkpoint if its
 * tree continues the one that was cosigned last. What is cosigned is committed first, so that no
 * instance and no restart cosigns a fork. One thread at a time calls the HSM. Thread-safe.
 */
public final class OwnWitness implements AutoCloseable {

  /** The largest offer: a proof, and a checkpoint with some signatures. */
  public static final int MAX_OFFER = 16 << 10;

  /** What a token signs at once; only a log with extension lines would need more. */
  private static final int MAX_TEXT = 2_048;

  private static final int BAD_REQUEST = 400;
  private static final int MAX_WAITING = 8;
  private static final int PATIENCE_SECONDS = 3;

  private final OwnWitnessProperties properties;
  private final WitnessedTable table;
  private final BooleanSupplier clockIsInDoubt;
  private final WitnessRules rules;
  private final List<Cosigner> cosigners = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.MINUTES,
          new ArrayBlockingQueue<>(MAX_WAITING),
          Thread.ofPlatform().daemon().name("keywell-cosignatures").factory());

  /** A key of the witness. */
  record Cosigner(NoteKey key, TokenSigner signer) {

    Optional<NoteSignature> cosign(long seconds, String text) {
      return signer
          .sign()
          .apply(Cosignatures.message(seconds, text))
          .map(
              bytes -> new NoteSignature(key.name(), key.id(), Cosignatures.bytes(seconds, bytes)));
    }
  }

  /**
   * What is answered to an offer.
   *
   * @param status of HTTP
   * @param body signature lines for 200, the latest size for 409, else a reason
   */
  public record Answer(int status, String body) {}

  /**
   * @param clockIsInDoubt whether nothing may be dated by the clock
   */
  OwnWitness(
      OwnWitnessProperties properties, WitnessedTable table, BooleanSupplier clockIsInDoubt) {
    this.properties = properties;
    this.table = table;
    this.clockIsInDoubt = clockIsInDoubt;
    this.rules = new WitnessRules(properties.keys());
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Adds a device that signs, if this deployment is a witness.
   *
   * @throws StartRefusedException if its token cannot sign by Ed25519
   */
  public void add(OpenDevice device) {
    if (properties.isOne()) {
      add(cosigner(device));
    }
  }

  void add(Cosigner cosigner) {
    cosigners.add(cosigner);
  }

  private Cosigner cosigner(OpenDevice device) {
    String refusal = "keywell.log.witness.name: the token of device " + device.name();
    try {
      TokenSigner signer =
          Ed25519Signers.find(device, properties.keyLabel())
              .orElseThrow(() ->
                  new StartRefusedException(
                      refusal
                          + " has no Ed25519 key '%s': run the bootstrap; a token without Ed25519 makes none"
                              .formatted(properties.keyLabel())));
      byte[] spki = signer.publicKey().getEncoded();
      byte[] material = Arrays.copyOfRange(spki, spki.length - 32, spki.length);
      String name = Objects.requireNonNull(properties.name());
      return new Cosigner(new NoteKey(name, NoteKey.Type.COSIGNATURE_ED25519, material), signer);
    } catch (HsmException e) {
      throw new StartRefusedException(refusal + " does not sign by Ed25519: " + e.getMessage(), e);
    }
  }

  /** Whether this deployment is a witness. */
  public boolean isOne() {
    return !cosigners.isEmpty();
  }

  /** Returns its verifier keys, one for each token: any of them stands for the witness. */
  public List<String> keys() {
    return cosigners.stream().map(each -> each.key().toString()).toList();
  }

  /**
   * Judges an offer of a log, and cosigns it if it is accepted.
   *
   * @param body of {@code add-checkpoint}
   * @return empty if it is accepted and no token signs in time, the clock is in doubt, or too many
   *     offers wait: a repetition is cosigned
   */
  public Optional<Answer> offered(byte[] body) throws InterruptedException {
    AddCheckpoint offer;
    Checkpoint offered;
    try {
      offer = AddCheckpoint.parse(body);
      offered = Checkpoint.parse(offer.checkpoint().text());
    } catch (LogFormatException e) {
      return Optional.of(new Answer(BAD_REQUEST, String.valueOf(e.getMessage())));
    }
    if (offer.checkpoint().text().length() > MAX_TEXT) {
      return Optional.of(new Answer(BAD_REQUEST, "a checkpoint of more than " + MAX_TEXT));
    }
    // What strangers send does not reach the database.
    Verdict verdict = rules.judge(offer, Checkpoint.ofEmptyTree(offered.origin()));
    if (verdict == Verdict.UNKNOWN_LOG || verdict == Verdict.NOT_SIGNED_BY_LOG) {
      return Optional.of(answer(verdict));
    }
    WitnessedTable.Judged judged = table.judge(offer, offered, rules);
    return switch (judged.verdict()) {
      case ACCEPTED -> cosigned(offer.checkpoint().text());
      case OTHER_OLD_SIZE ->
          Optional.of(new Answer(judged.verdict().status(), judged.latest() + "\n"));
      default -> Optional.of(answer(judged.verdict()));
    };
  }

  private static Answer answer(Verdict verdict) {
    return new Answer(verdict.status(), verdict + "\n");
  }

  private Optional<Answer> cosigned(String text) throws InterruptedException {
    Future<String> lines;
    try {
      lines = thread.submit(() -> lines(text));
    } catch (RejectedExecutionException e) {
      return Optional.empty();
    }
    try {
      String made = lines.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return made.isEmpty()
          ? Optional.empty()
          : Optional.of(new Answer(Verdict.ACCEPTED.status(), made));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a checkpoint is not cosigned", e);
    } finally {
      boolean _ = lines.cancel(false);
    }
  }

  private String lines(String text) {
    long seconds = Instant.now().getEpochSecond();
    if (clockIsInDoubt.getAsBoolean()) {
      return "";
    }
    StringBuilder lines = new StringBuilder();
    cosigners.forEach(
        each -> each.cosign(seconds, text).ifPresent(one -> lines.append(one.line()).append('\n')));
    return lines.toString();
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
