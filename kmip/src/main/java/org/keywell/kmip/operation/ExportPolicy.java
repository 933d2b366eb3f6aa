package org.keywell.kmip.operation;

/**
 * Which keys leave the HSM in clear, for their owners.
 *
 * @param privateKeys whether private keys do
 * @param secrets whether symmetric keys and secret data do
 */
public record ExportPolicy(boolean privateKeys, boolean secrets) {}
