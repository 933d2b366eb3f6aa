package org.keywell.xks.hsm;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;

/**
 * An HSM that may keep keys.
 *
 * @param model of the device, for clients
 * @param fails whether the device is known to fail
 * @param calls one for each call that may be in the device at the same time
 */
public record KeyHsm(
    String name, String model, BooleanSupplier fails, TokenAesKeys keys, Semaphore calls) {}
