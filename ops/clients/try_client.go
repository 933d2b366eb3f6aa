// Signs three documents with the client that was generated, in each form, and writes what came for
// openssl to look at: try-client URL TOKEN DOCUMENTS OUT. TryClient.java does the same.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"keywell.invalid/try/keywell"
)

type trial struct {
	client  *keywell.ClientWithResponses
	out     string
	digests [][]byte
}

var ctx = context.Background()

func main() {
	url, token, documents, out := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	client, err := keywell.NewClientWithResponses(url, keywell.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	must(err)
	t := trial{client: client, out: out}
	for n := 1; n <= 3; n++ {
		document, err := os.ReadFile(filepath.Join(documents, fmt.Sprint(n)))
		must(err)
		digest := sha256.Sum256(document)
		t.digests = append(t.digests, digest[:])
	}
	t.bare()
	t.several()
	t.contained()
	t.inTwoCalls()
	t.cancelled()
	t.refused()
	t.others()
}

func (t trial) sign(change func(*keywell.SignRequest)) *keywell.SignResponse {
	spec := keywell.SignRequestKeySpecECP256
	request := keywell.SignRequest{
		DigestAlgorithm: keywell.SignRequestDigestAlgorithmSHA256, KeySpec: &spec, Signer: signer()}
	change(&request)
	answer, err := t.client.SignWithResponse(ctx, nil, request)
	must(err)
	require(answer.JSON200 != nil, answer.Status()+": "+string(answer.Body))
	return answer.JSON200
}

func signer() *keywell.Signer {
	name, country := "Åsa Öberg", "SE"
	return &keywell.Signer{CommonName: &name, Country: &country}
}

func (t trial) bare() {
	answer := t.sign(func(request *keywell.SignRequest) { request.Digest = &t.digests[0] })
	t.write("bare", answer)
	again, err := t.client.ResultWithResponse(ctx, answer.RequestId)
	must(err)
	require(bytes.Equal(answer.Signature, again.JSON200.Signature), "the stored result differs")
}

func (t trial) several() {
	t.write("several", t.sign(func(request *keywell.SignRequest) { request.Digests = &t.digests }))
}

func (t trial) contained() {
	form := keywell.CAdESBASELINEB
	answer := t.sign(func(request *keywell.SignRequest) {
		request.Digests, request.Container = &t.digests, &form
	})
	require(len(*answer.Containers) == 3, "not a container for each digest")
	for i, container := range *answer.Containers {
		t.save(fmt.Sprintf("contained-%d.p7s", i+1), container)
	}
}

func (t trial) open() *keywell.Act {
	spec := keywell.ActRequestKeySpecECP256
	answer, err := t.client.OpenActWithResponse(ctx, nil, keywell.ActRequest{
		DigestAlgorithm: keywell.ActRequestDigestAlgorithmSHA256, DigestCount: 3,
		KeySpec: &spec, Signer: signer()})
	must(err)
	require(answer.JSON201 != nil, answer.Status()+": "+string(answer.Body))
	return answer.JSON201
}

// The certificate is known before the digests.
func (t trial) inTwoCalls() {
	act := t.open()
	require(act.Status == keywell.Open, "not open")
	answer, err := t.client.SignActWithResponse(ctx, act.ActId, keywell.ActDigests{Digests: t.digests})
	must(err)
	require(answer.JSON200 != nil, answer.Status()+": "+string(answer.Body))
	t.write("act", answer.JSON200)
	t.writeChain("act", act.CertificateChain)
}

func (t trial) cancelled() {
	act := t.open().ActId
	_, err := t.client.CancelActWithResponse(ctx, act)
	must(err)
	found, err := t.client.FindActWithResponse(ctx, act)
	must(err)
	require(found.JSON200.Status == keywell.Cancelled, "not cancelled")
	answer, err := t.client.SignActWithResponse(ctx, act, keywell.ActDigests{Digests: t.digests})
	must(err)
	problem := answer.ApplicationproblemJSON410
	require(problem != nil && problem.Type == "urn:keywell:problem:act-cancelled", "a cancelled act signs")
}

func (t trial) refused() {
	answer, err := t.client.ResultWithResponse(ctx, uuid.New())
	must(err)
	problem := answer.ApplicationproblemJSON404
	require(problem != nil && problem.Type == "urn:keywell:problem:request-unknown",
		"a request that never was has a result")
}

func (t trial) others() {
	chain, err := t.client.ChainWithResponse(ctx)
	must(err)
	t.save("ca.pem", chain.Body)
	status, err := t.client.StatusWithResponse(ctx)
	must(err)
	require(status.JSON200 != nil && len(status.JSON200.Pools) > 0, "there is no pool")
}

func (t trial) write(name string, answer *keywell.SignResponse) {
	require(bytes.Equal(answer.Signature, answer.Signatures[0]), "the first one differs")
	for i, signature := range answer.Signatures {
		t.save(fmt.Sprintf("%s-%d.sig", name, i+1), signature)
	}
	t.writeChain(name, answer.CertificateChain)
}

func (t trial) writeChain(name string, chain [][]byte) {
	var text bytes.Buffer
	for _, certificate := range chain {
		must(pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	}
	t.save(name+".pem", text.Bytes())
}

func (t trial) save(name string, content []byte) {
	must(os.WriteFile(filepath.Join(t.out, name), content, 0o600))
}

func must(err error) {
	require(err == nil, fmt.Sprint(err))
}

func require(holds bool, otherwise string) {
	if !holds {
		panic(otherwise)
	}
}
