package org.keywell.signing.request;

/** Carries a {@link Refusal} from the core to the entry point that renders it. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public RefusedException(Refusal.Reason reason, String detail) {
    this(new Refusal(reason, detail));
  }

  public RefusedException(Refusal refusal) {
    super(refusal.detail(), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
