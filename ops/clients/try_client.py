"""Signs three documents with the client that was generated, in each form, and writes what came for
openssl to look at: try_client.py URL TOKEN DOCUMENTS OUT. TryClient.java does the same."""

import base64
import hashlib
import pathlib
import sys
import uuid

import keywell_generated as keywell


class Trial:
    def __init__(self, client, documents, out):
        self.signing = keywell.SigningApi(client)
        self.acts = keywell.ActsInTwoCallsApi(client)
        self.ca = keywell.CertificationAuthorityApi(client)
        self.operations = keywell.OperationsApi(client)
        self.out = pathlib.Path(out)
        self.digests = [
            base64.b64encode(hashlib.sha256(pathlib.Path(documents, str(n)).read_bytes()).digest()).decode()
            for n in (1, 2, 3)
        ]

    def request(self, **fields):
        return keywell.SignRequest(digest_algorithm="SHA-256", key_spec="EC-P256", signer=self.signer(), **fields)

    def signer(self):
        return keywell.Signer(common_name="Åsa Öberg", country="SE")

    def bare(self):
        answer = self.signing.sign(self.request(digest=self.digests[0]))
        self.write("bare", answer)
        assert self.signing.result(answer.request_id) == answer

    def several(self):
        self.write("several", self.signing.sign(self.request(digests=self.digests)))

    def contained(self):
        answer = self.signing.sign(self.request(digests=self.digests, container="CAdES-BASELINE-B"))
        for n, container in enumerate(answer.containers, 1):
            (self.out / f"contained-{n}.p7s").write_bytes(base64.b64decode(container))
        assert len(answer.containers) == 3

    def opening(self):
        return keywell.ActRequest(
            digest_algorithm="SHA-256", digest_count=3, key_spec="EC-P256", signer=self.signer()
        )

    def in_two_calls(self):
        """The certificate is known before the digests."""
        act = self.acts.open_act(self.opening())
        assert act.status == "open"
        self.write("act", self.acts.sign_act(act.act_id, keywell.ActDigests(digests=self.digests)))
        self.write_chain("act", act.certificate_chain)

    def cancelled(self):
        act = self.acts.open_act(self.opening()).act_id
        self.acts.cancel_act(act)
        assert self.acts.find_act(act).status == "cancelled"
        try:
            self.acts.sign_act(act, keywell.ActDigests(digests=self.digests))
            raise AssertionError("a cancelled act signs")
        except keywell.exceptions.ApiException as refusal:
            assert refusal.status == 410, refusal
            assert refusal.data.type == "urn:keywell:problem:act-cancelled", refusal

    def refused(self):
        try:
            self.signing.result(uuid.uuid4())
            raise AssertionError("a request that never was has a result")
        except keywell.exceptions.NotFoundException as refusal:
            assert refusal.data.type == "urn:keywell:problem:request-unknown", refusal

    def others(self):
        (self.out / "ca.pem").write_bytes(self.ca.chain())
        assert self.operations.status().pools

    def write(self, name, answer):
        assert answer.signature == answer.signatures[0]
        for n, signature in enumerate(answer.signatures, 1):
            (self.out / f"{name}-{n}.sig").write_bytes(base64.b64decode(signature))
        self.write_chain(name, answer.certificate_chain)

    def write_chain(self, name, chain):
        pem = "".join(
            "-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(base64.b64decode(der)).decode()
            + "-----END CERTIFICATE-----\n"
            for der in chain
        )
        (self.out / f"{name}.pem").write_text(pem)


def main(url, token, documents, out):
    configuration = keywell.Configuration(host=url, access_token=token)
    with keywell.ApiClient(configuration) as client:
        trial = Trial(client, documents, out)
        trial.bare()
        trial.several()
        trial.contained()
        trial.in_two_calls()
        trial.cancelled()
        trial.refused()
        trial.others()


main(*sys.argv[1:])
