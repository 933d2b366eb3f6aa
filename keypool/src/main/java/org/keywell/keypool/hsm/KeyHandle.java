package org.keywell.keypool.hsm;

/**
 * A private key that is live inside an HSM. A handle is meaningless outside of the {@link Hsm} that
 * returned it, and after that was closed.
 *
 * @param value the {@code CK_OBJECT_HANDLE}
 * @param spec the kind of the key
 */
public record KeyHandle(long value, KeySpec spec) {}
