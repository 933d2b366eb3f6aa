package org.keywell.service.launch;

import org.keywell.keypool.hsm.KeySpec;

/**
 * The arguments of {@code fill}.
 *
 * @param count target number of stored keys
 */
record FillArguments(int count, KeySpec keySpec) {}
