package org.keywell.rest.security;

import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProvenIdentity;
import org.keywell.rest.problem.ProblemType;

/**
 * A request that was answered with a problem, with what is known about its caller and signer.
 *
 * @param caller its name, or {@link #NOBODY}
 * @param requestId null if the request was not for a signature, or was refused before it was read
 * @param identity what was proven about the signer; null if nothing was
 * @param onRecord whether the request was not refused but failed or expired, as its record and its
 *     own log line say
 */
public record RefusedRequest(
    ProblemType problem,
    String caller,
    @Nullable UUID requestId,
    @Nullable ProvenIdentity identity,
    boolean onRecord) {

  /** Stands for a sender that is not a caller. */
  public static final String NOBODY = "nobody";

  /** Returns a log line without the signer's name, the ticket or text chosen by the caller. */
  String told() {
    StringBuilder line = new StringBuilder(problem.label()).append(": caller ").append(caller);
    if (requestId != null) {
      line.append(", request ").append(requestId);
    }
    if (identity != null) {
      line.append(", identity provider ")
          .append(identity.provider())
          .append(", proof ")
          .append(HexFormat.of().formatHex(identity.sha256()));
    }
    return line.toString();
  }
}
