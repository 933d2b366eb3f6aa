package org.keywell.ca.issuance;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Lends each of a fixed number of signers to one thread at a time, which bounds the signatures, and
 * so the sessions, that are under way in the HSM. Thread-safe.
 */
final class SignerPool {
  private final IssuingKey key;
  private final String algorithm;
  private final SigningLimits limits;
  private final AlgorithmIdentifier algorithmIdentifier;

  // INVARIANT: signers in the queue plus signatures under way are limits.concurrentSignatures().
  private final BlockingQueue<Turn> turns;

  /** The right to sign, with a signer unless the last one failed. */
  private sealed interface Turn {}

  private record Ready(ContentSigner signer) implements Turn {}

  private record Renew() implements Turn {}

  SignerPool(IssuingKey key, SigningLimits limits) throws CaSigningException {
    this.key = key;
    this.limits = limits;
    this.algorithm = SignatureAlgorithms.forKey(key.certificate().getPublicKey());
    // Fair: under contention a thread could otherwise be overtaken for a second.
    this.turns = new ArrayBlockingQueue<>(limits.concurrentSignatures(), true);
    ContentSigner first = newSigner();
    this.algorithmIdentifier = first.getAlgorithmIdentifier();
    turns.add(new Ready(first));
    while (turns.remainingCapacity() > 0) {
      turns.add(new Renew());
    }
  }

  AlgorithmIdentifier algorithmIdentifier() {
    return algorithmIdentifier;
  }

  byte[] sign(byte[] content) throws CaSigningException {
    Turn turn = take();
    // A signer that failed may hold a broken session: the next thread makes itself another one.
    Turn next = new Renew();
    try {
      ContentSigner signer =
          switch (turn) {
            case Ready ready -> ready.signer();
            case Renew renew -> newSigner();
          };
      signer.getOutputStream().write(content);
      byte[] signature = signer.getSignature();
      next = new Ready(signer);
      return signature;
    } catch (IOException | RuntimeException e) {
      throw new CaSigningException("the CA's key did not sign: " + e, e);
    } finally {
      turns.add(next);
    }
  }

  private Turn take() throws CaSigningException {
    try {
      Turn turn = turns.poll(limits.maxWait().toNanos(), TimeUnit.NANOSECONDS);
      if (turn == null) {
        throw new CaSigningException(
            "no turn at the CA's key within maxWait (" + limits.maxWait() + ")");
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
