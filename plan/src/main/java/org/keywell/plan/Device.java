package org.keywell.plan;

import java.time.Duration;

/**
 * What one HSM can do. Signing and generation share its lanes, each one operation at a time;
 * unwrapping has separate lanes, as it hardly slowed down signing (thesis, Table 2-11).
 *
 * @param generation KG, for a key pair; more than 0
 * @param wrapping to wrap and store a key generated for the pool
 * @param unwrapping to load and unwrap a key; 0: loading is no limit
 * @param signing Si; more than 0
 * @param lanes signings at a time
 * @param generatorThreads lanes that generate at a time, at most
 * @param unwrapLanes keys that are unwrapped at a time
 * @param idleAfter the pause between requests without which no key is generated
 * @param loadedKeyCapacity how many keys fit into its memory
 */
record Device(
    Duration generation,
    Duration wrapping,
    Duration unwrapping,
    Duration signing,
    int lanes,
    int generatorThreads,
    int unwrapLanes,
    Duration idleAfter,
    int loadedKeyCapacity) {}
