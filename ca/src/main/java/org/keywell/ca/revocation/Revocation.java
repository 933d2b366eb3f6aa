package org.keywell.ca.revocation;

import java.math.BigInteger;
import java.time.Instant;

/**
 * One entry of a list.
 *
 * @param at when it was revoked; lists have it in whole seconds
 */
public record Revocation(BigInteger serial, Instant at, RevocationReason reason) {}
