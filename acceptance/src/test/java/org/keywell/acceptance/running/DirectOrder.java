package org.keywell.acceptance.running;

import java.time.Duration;
import java.util.List;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.SubjectParts;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.request.SigningOrder;
import org.keywell.signing.sign.RequestIntake;

/** What a caller asks of the core itself, without HTTP. */
public final class DirectOrder {

  private DirectOrder() {}

  /** A caller with all rights, and half of the queue's places. */
  public static Caller caller(String name) {
    Caller all = Caller.onLoopback();
    return new Caller(
        name,
        all.roles(),
        all.keySpecs(),
        all.profiles(),
        all.identity(),
        new CallerLimits(0, 0, 0, 50));
  }

  /** One signature. */
  public static SignRequest by(
      Caller caller, KeySpec spec, Duration deadline, RequestIntake intake) {
    return intake.accept(
        new SigningOrder(
            null,
            new SigningForm.Bare(),
            DigestAlgorithm.SHA_256,
            List.of(new byte[DigestAlgorithm.SHA_256.lengthBytes()]),
            spec,
            null,
            null,
            new SubjectParts().put(SubjectAttribute.COMMON_NAME, "Astrid Exempel"),
            null,
            deadline,
            null),
        caller);
  }
}
