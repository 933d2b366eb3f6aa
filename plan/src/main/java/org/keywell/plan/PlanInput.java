package org.keywell.plan;

/**
 * All that a plan is made from, checked.
 *
 * @param hsms how many HSMs there are, alike, with one queue and one pool
 * @param bytesPerStoredKey what a stored key takes in the database
 */
public record PlanInput(
    Week week, Device device, Limits limits, int hsms, double bytesPerStoredKey) {}
