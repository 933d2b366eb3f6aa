package org.keywell.keypool.hsm.pkcs11;

/**
 * An AES key in one token or more. The record owns its arrays; they must not be modified.
 *
 * @param label its {@code CKA_LABEL}
 * @param id its {@code CKA_ID}, the same in each token
 * @param check proves that a token has this key under the id, and not another: what only this key,
 *     under this label, decrypts to the id
 */
public record TokenAesKey(String label, byte[] id, byte[] check) {}
