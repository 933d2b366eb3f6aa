package org.keywell.signing.revocation;

import java.time.Instant;
import java.util.function.Function;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/**
 * A CA's key that signs lists.
 *
 * @param keyIdentifier in the CA's certificate
 * @param end of the CA's certificate
 * @param certifies whether it does now or will do so; others have done so before
 */
record ListSigner(
    byte[] keyIdentifier,
    Instant end,
    boolean certifies,
    Function<RevocationList, ListAnswer> signature) {}
