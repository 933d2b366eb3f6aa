package org.keywell.ca.token;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.keywell.ca.issuance.SignatureAlgorithms;

/** A key pair that can sign, wherever its private key is stored. */
record CaKey(PrivateKey privateKey, PublicKey publicKey, Provider provider) {

  SubjectPublicKeyInfo info() {
    return SubjectPublicKeyInfo.getInstance(publicKey.getEncoded());
  }

  ContentSigner signer() {
    try {
      return new JcaContentSignerBuilder(SignatureAlgorithms.forKey(publicKey))
          .setProvider(provider)
          .build(privateKey);
    } catch (OperatorCreationException | ProviderException e) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "a CA key cannot be used to sign", e);
    }
  }
}
