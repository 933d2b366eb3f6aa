package org.keywell.kmip.operation;

import org.keywell.kmip.object.ObjectType;

/**
 * Which keys leave the HSM in clear, for their owners.
 *
 * @param privateKeys whether private keys do
 * @param secrets whether symmetric keys and secret data do
 */
public record ExportPolicy(boolean privateKeys, boolean secrets) {

  boolean allows(ObjectType type) {
    return switch (type) {
      case PRIVATE_KEY -> privateKeys;
      case SYMMETRIC_KEY, SECRET_DATA -> secrets;
      case CERTIFICATE, PUBLIC_KEY, OPAQUE_OBJECT -> true;
    };
  }
}
