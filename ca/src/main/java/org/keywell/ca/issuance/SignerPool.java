package org.keywell.ca.issuance;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Lends each of a fixed number of signers to one thread at a time. This bounds the concurrent
 * signatures, and so the sessions, in the HSM. Releases no signature that does not verify with the
 * CA's certificate. Thread-safe.
 */
final class SignerPool {
  private final IssuingKey key;
  private final String algorithm;
  private final SigningLimits limits;
  private final AlgorithmIdentifier algorithmIdentifier;
  private final SignatureCheck check;

  // INVARIANT: signers in the queue plus signatures in progress are limits.concurrentSignatures().
  private final BlockingQueue<Turn> turns;

  /** The right to sign, with a signer unless the last one failed. */
  private record Turn(Optional<ContentSigner> signer) {
    static final Turn RENEW = new Turn(Optional.empty());
  }

  SignerPool(IssuingKey key, SigningLimits limits) throws CaSigningException {
    this.key = key;
    this.limits = limits;
    this.algorithm = SignatureAlgorithms.forKey(key.certificate().getPublicKey());
    // Fair: otherwise other threads could overtake a waiting one for a second.
    this.turns = new ArrayBlockingQueue<>(limits.concurrentSignatures(), true);
    ContentSigner first = newSigner();
    this.algorithmIdentifier = first.getAlgorithmIdentifier();
    this.check = new SignatureCheck(key.certificate().getPublicKey(), algorithmIdentifier);
    turns.add(new Turn(Optional.of(first)));
    for (int i = 1; i < limits.concurrentSignatures(); i++) {
      turns.add(Turn.RENEW);
    }
  }

  AlgorithmIdentifier algorithmIdentifier() {
    return algorithmIdentifier;
  }

  byte[] sign(byte[] content) throws CaSigningException {
    byte[] signature = signByTurn(content);
    // INVARIANT: modules return garbage with CKR_OK; none of it leaves as a certificate. Runs
    // outside the turn, so that no other signature waits for it.
    if (!check.verifies(content, signature)) {
      throw CaSigningException.wrongSignature();
    }
    return signature;
  }

  private byte[] signByTurn(byte[] content) throws CaSigningException {
    Turn turn = take();
    // A signer that failed may have kept some of the content: the next thread creates another one.
    Turn next = Turn.RENEW;
    try {
      ContentSigner signer = turn.signer().isPresent() ? turn.signer().get() : newSigner();
      byte[] signature = sign(signer, content);
      next = new Turn(Optional.of(signer));
      return signature;
    } catch (IOException | RuntimeException e) {
      throw new CaSigningException("the CA's key did not sign: " + e, e);
    } finally {
      turns.add(next);
    }
  }

  private static byte[] sign(ContentSigner signer, byte[] content) throws IOException {
    signer.getOutputStream().write(content);
    return signer.getSignature();
  }

  private Turn take() throws CaSigningException {
    try {
      Turn turn = turns.poll(limits.maxWait().toNanos(), TimeUnit.NANOSECONDS);
      if (turn == null) {
        throw new CaSigningException(
            "no turn at the CA's key within maxWait (%s): all %s concurrentSignatures were under way"
                .formatted(limits.maxWait(), limits.concurrentSignatures()));
      }
      return turn;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CaSigningException("interrupted while waiting for the CA's key", e);
    }
  }

  private ContentSigner newSigner() throws CaSigningException {
    try {
      return new JcaContentSignerBuilder(algorithm)
          .setProvider(key.provider())
          .build(key.privateKey());
    } catch (OperatorCreationException | RuntimeException e) {
      throw new CaSigningException("the CA's key cannot be used to sign", e);
    }
  }
}
