package org.keywell.signing.ca;

import java.security.PublicKey;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key in a token that signs for the log.
 *
 * @param sign returns a signature that was verified; empty while the device does not sign.
 *     Thread-safe; not to be called by virtual threads
 */
public record AuditSigner(PublicKey publicKey, Function<byte[], Optional<byte[]>> sign) {}
