package org.keywell.jms;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;

/** Senders by the certificates of their signatures. Thread-safe. */
final class SignedSenders {

  private final Function<List<X509Certificate>, Signer> signers;

  SignedSenders(Function<List<X509Certificate>, Signer> signers) {
    this.signers = signers;
  }

  /**
   * @param chain the signer's certificate first; its signature is verified
   */
  Sender of(List<X509Certificate> chain) {
    String subject = chain.getFirst().getSubjectX500Principal().getName();
    return switch (signers.apply(chain)) {
      case Signer.Known known -> new Sender.Known(known.caller().name(), known.caller());
      case Signer.Stranger stranger -> nobody(Fault.CALLER_UNKNOWN, subject, stranger.detail());
      case Signer.Refused refused -> nobody(Fault.CERTIFICATE_REFUSED, subject, refused.detail());
      case Signer.Unsure _ -> new Sender.None(new Incoming.Unknowable());
    };
  }

  private static Sender nobody(Fault fault, String subject, String detail) {
    return new Sender.None(new Incoming.Poison(fault, subject, detail, null));
  }
}
