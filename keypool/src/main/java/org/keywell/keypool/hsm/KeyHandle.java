package org.keywell.keypool.hsm;

/**
 * A private key that is live inside an HSM. A handle is meaningless outside the {@link Hsm} that
 * returned it and after its epoch ends: devices then restart their numbering, and the same value
 * may name another key. An {@link Hsm} refuses such a handle without calling the device.
 *
 * @param epoch the opening of the device that the key lives in, see {@link Epoch}
 * @param value the {@code CK_OBJECT_HANDLE}
 * @param spec the kind of the key
 */
public record KeyHandle(long epoch, long value, KeySpec spec) {}
