package org.keywell.service.security;

import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.service.identity.ProvenIdentity;
import org.keywell.service.problem.ProblemType;

/**
 * A request that was answered with a problem, as far as it is known who made it and for whom.
 *
 * @param caller its name, or {@link #NOBODY}
 * @param requestId null if the request asked for no signature, or was refused before it was read
 * @param identity what was proven of the signer; null if nothing was
 * @param onRecord whether the request was not refused, but has failed or expired, as its record and
 *     its own line in the log tell
 */
public record RefusedRequest(
    ProblemType problem,
    String caller,
    @Nullable UUID requestId,
    @Nullable ProvenIdentity identity,
    boolean onRecord) {

  /** Stands for who is no caller. */
  public static final String NOBODY = "nobody";

  /** For one line of a log: holds no name, no ticket and nothing that the caller has spelled. */
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
