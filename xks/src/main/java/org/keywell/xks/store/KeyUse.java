package org.keywell.xks.store;

/**
 * What an entry in the log tells of the use of a key. Texts other than the first two are the
 * client's, of up to 2,048 characters each; of these, the log has a commitment only.
 *
 * @param operation such as {@code Encrypt}
 * @param caller the access key id
 * @param kmsKey may be empty
 * @param encrypts whether the key is to encrypt
 * @param decrypts whether it is to decrypt
 */
public record KeyUse(
    String operation,
    String caller,
    String principal,
    String kmsKey,
    String kmsOperation,
    String kmsRequest,
    boolean encrypts,
    boolean decrypts) {}
