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
 */
record ListSigner(
    byte[] keyIdentifier, Instant end, Function<RevocationList, ListAnswer> signature) {}
