package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/ovh/kmip-go"
	"github.com/ovh/kmip-go/kmipclient"
)

// client uses a key manager as applications do that have kmip-go.
func client(address, authority, certificate, key string) (err error) {
	c, err := kmipclient.Dial(address,
		kmipclient.WithRootCAFile(authority),
		kmipclient.WithClientCertFiles(certificate, key))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	fmt.Println("version", c.Version())
	if err := cipher(c); err != nil {
		return fmt.Errorf("AES: %w", err)
	}
	for _, pair := range []kmipclient.ExecCreateKeyPairAttr{
		c.CreateKeyPair().RSA(2048, kmip.CryptographicUsageSign, kmip.CryptographicUsageVerify),
		c.CreateKeyPair().ECDSA(kmip.RecommendedCurveP_256, kmip.CryptographicUsageSign, kmip.CryptographicUsageVerify),
	} {
		if err := sign(c, pair); err != nil {
			return fmt.Errorf("sign: %w", err)
		}
	}
	return nil
}

func cipher(c *kmipclient.Client) error {
	key, err := c.Create().
		AES(256, kmip.CryptographicUsageEncrypt|kmip.CryptographicUsageDecrypt).
		WithName("by kmip-go").Exec()
	if err != nil {
		return err
	}
	id := key.UniqueIdentifier
	if _, err := c.Activate(id).Exec(); err != nil {
		return err
	}
	gcm := kmip.CryptographicParameters{BlockCipherMode: kmip.BlockCipherModeGCM}
	text := []byte("a block of the disk")
	sealed, err := c.Encrypt(id).WithCryptographicParameters(gcm).WithAAD([]byte("7")).Data(text).Exec()
	if err != nil {
		return err
	}
	opened, err := c.Decrypt(id).WithCryptographicParameters(gcm).WithAAD([]byte("7")).
		WithIvCounterNonce(sealed.IVCounterNonce).WithAuthTag(sealed.AuthenticatedEncryptionTag).
		Data(sealed.Data).Exec()
	if err != nil || !bytes.Equal(opened.Data, text) {
		return fmt.Errorf("decrypted %q: %w", opened.Data, err)
	}
	found, err := c.Locate().WithName("by kmip-go").Exec()
	if err != nil || len(found.UniqueIdentifier) != 1 || found.UniqueIdentifier[0] != id {
		return fmt.Errorf("located %v: %w", found, err)
	}
	if _, err := c.Revoke(id).WithRevocationReasonCode(kmip.RevocationReasonCodeSuperseded).Exec(); err != nil {
		return err
	}
	if _, err := c.Destroy(id).Exec(); err != nil {
		return err
	}
	fmt.Println("AES-256: created, used, located, destroyed")
	return nil
}

// sign has Go's crypto.Signer sign with a key of the HSM, and Go's own code verify.
func sign(c *kmipclient.Client, create kmipclient.ExecCreateKeyPairAttr) error {
	pair, err := create.Exec()
	if err != nil {
		return err
	}
	for _, id := range []string{pair.PrivateKeyUniqueIdentifier, pair.PublicKeyUniqueIdentifier} {
		if _, err := c.Activate(id).Exec(); err != nil {
			return err
		}
	}
	signer, err := c.Signer(context.Background(), pair.PrivateKeyUniqueIdentifier, "")
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte("signed in the HSM"))
	signature, err := signer.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		return err
	}
	info, err := x509.MarshalPKIXPublicKey(signer.Public())
	if err != nil {
		return err
	}
	certificate := x509.Certificate{PublicKey: signer.Public()}
	algorithm := x509.ECDSAWithSHA256
	if _, ok := signer.Public().(*rsa.PublicKey); ok {
		algorithm = x509.SHA256WithRSA
	}
	if err := certificate.CheckSignature(algorithm, []byte("signed in the HSM"), signature); err != nil {
		return err
	}
	fmt.Printf("%v: signed and verified, public key of %d bytes\n", algorithm, len(info))
	return nil
}
