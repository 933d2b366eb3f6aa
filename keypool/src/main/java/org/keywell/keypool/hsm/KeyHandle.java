package org.keywell.keypool.hsm;

/**
 * A private key that is live inside an HSM. A handle is meaningless outside of the {@link Hsm} that
 * returned it, and after the end of its epoch: devices number their keys anew then, so that the
 * same value may name another key. An {@link Hsm} refuses it before the device is asked.
 *
 * @param epoch the opening of the device that the key lives in, see {@link Epoch}
 * @param value the {@code CK_OBJECT_HANDLE}
 * @param spec the kind of the key
 */
public record KeyHandle(long epoch, long value, KeySpec spec) {}
