"""Prints openssl's verdict on each signed PDF: openssl_verdicts.py ROOT-PEM PDF...

From the outside in: the newest time stamp must verify now, and what it covers must verify at the time that it proves.
Each certificate below the root must be in the scope of a list of revoked certificates, in the document or else
fetched, unless it states that there is no revocation to check (RFC 9608). The newest time stamp is exempt: only a
list of the day could say whether its unit or a CA has been revoked by now.

Python takes the PDF apart, into PDF.parts, and reads what openssl says; openssl does all cryptography. Each command
is printed and can be repeated in that directory. What later revisions add to the pages is not judged.
"""
import re
import subprocess
import sys
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

from pyhanko.pdf_utils.reader import PdfFileReader

ROOT = Path(sys.argv[1]).resolve()


class Refused(Exception):
    pass


class Judge:
    def __init__(self, file):
        self.parts = Path(f"{file}.parts").resolve()
        self.parts.mkdir(exist_ok=True)
        self.pdf = Path(file).read_bytes()
        with open(file, "rb") as stream:
            self.take_apart(PdfFileReader(stream))

    def take_apart(self, reader):
        """Writes what is signed, signatures and lists. The order is that of the revisions."""
        self.names, self.lists, end = [], [], 0
        for signature in reader.embedded_signatures:
            start, length, after, rest = signature.byte_range
            hole = self.pdf[length:after]
            # Each covers all before it.
            if start or length < end or hole[:1] + hole[-1:] != b"<>" or bytes.fromhex(hole[1:-1].decode()) != signature.pkcs7_content:
                raise Refused("parts are not signed")
            end = after + rest
            kind = "stamp" if signature.sig_object["/Type"] == "/DocTimeStamp" else "signature"
            self.names.append(f"{kind}{len(self.names)}")
            self.path(self.names[-1], "data").write_bytes(self.pdf[:length] + self.pdf[after : after + rest])
            self.path(self.names[-1], "der").write_bytes(signature.pkcs7_content)
        dss = reader.root["/DSS"] if "/DSS" in reader.root else {}
        for crl in dss["/CRLs"] if "/CRLs" in dss else []:
            self.lists.append(f"list{len(self.lists)}")
            self.path(self.lists[-1], "der").write_bytes(crl.get_object().data)

    def path(self, name, suffix):
        return self.parts / f"{name}.{suffix}"

    def openssl(self, *arguments):
        """Returns whether openssl succeeds, and what it says."""
        command = ["openssl", *map(str, arguments)]
        print("  $", *command)
        ran = subprocess.run(command, cwd=self.parts, capture_output=True, text=True)
        if ran.returncode:
            print("   ", (ran.stdout + ran.stderr).strip().replace("\n", "\n    "))
        return ran.returncode == 0, ran.stdout + ran.stderr

    def demand(self, *arguments):
        """Returns what openssl says, which must succeed."""
        succeeds, said = self.openssl(*arguments)
        if not succeeds:
            raise Refused(errors(said)[0])
        return said

    def judge(self):
        """Refuses, or does nothing."""
        [signature, *stamps] = self.names
        proven = None
        for stamp in reversed(stamps):
            untrusted = self.unpack(stamp)
            self.demand(
                "ts", "-verify", "-data", f"{stamp}.data", "-in", f"{stamp}.der", "-token_in",
                "-CAfile", ROOT, "-untrusted", untrusted, *at(proven),
            )  # fmt: skip
            if proven:
                self.require_not_revoked(stamp, proven)
            said = self.demand("ts", "-reply", "-in", f"{stamp}.der", "-token_in", "-text")
            proven = time(re.search("Time stamp: (.*)", said)[1])
        self.unpack(signature, "-content", f"{signature}.data")
        self.demand(
            "cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", f"{signature}.der",
            "-content", f"{signature}.data", "-out", "/dev/null",
            "-CAfile", ROOT, "-purpose", "any", *at(proven),
        )  # fmt: skip
        self.require_not_revoked(signature, proven)

    def unpack(self, name, *content):
        """Writes the signer's certificate and all, and returns the latter's name."""
        self.demand(
            "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", f"{name}.der", *content,
            "-out", "/dev/null", "-signer", f"{name}-signer.pem", "-certsout", f"{name}-all.pem",
        )  # fmt: skip
        return f"{name}-all.pem"

    def require_not_revoked(self, name, proven):
        """Refuses if a certificate of the chain was revoked before the proven time."""
        for certificate in self.chain(name):
            text = self.demand("x509", "-in", certificate, "-noout", "-text")
            # The extension's own line: a name may contain such words, too.
            if re.search("^ +X509v3 No Revocation Available:", text, re.M):
                continue
            lists = self.written(self.lists or self.fetched(certificate, text))
            # Lists may be newer than the proven time, and openssl takes none from the future.
            issued = [time(each) for each in re.findall("Last Update: (.*)", lists)]
            succeeds, said = self.openssl(
                "verify", "-x509_strict", "-crl_check", *(["-CRLfile", "lists.pem"] if lists else []),
                *at(proven and max([proven, *issued])), "-CAfile", ROOT, "-untrusted", f"{name}-all.pem", certificate,
            )  # fmt: skip
            # If the list did not verify, openssl would name that error instead.
            if errors(said) == ["certificate revoked"]:
                self.require_later(certificate, lists, proven)
            elif not succeeds:
                raise Refused(errors(said)[0])

    def fetched(self, certificate, text):
        """Returns the list that a certificate names, if it is there."""
        try:
            with urllib.request.urlopen(re.search(r"URI:(\S+\.crl)", text)[1], timeout=10) as answer:
                self.path(certificate, "der").write_bytes(answer.read())
        except OSError as failure:
            print("    no list:", failure)
            return []
        return [certificate]

    def written(self, lists):
        text = "".join(self.demand("crl", "-inform", "DER", "-in", f"{each}.der", "-text") for each in lists)
        self.path("lists", "pem").write_text(text)
        return text

    def require_later(self, certificate, lists, proven):
        serial = self.demand("x509", "-in", certificate, "-noout", "-serial").split("=")[1].strip()
        # The earliest: which list openssl has verified is not known here.
        revoked = min(time(each) for each in re.findall(rf"Serial Number: {serial}\n *Revocation Date: (.*)", lists))
        print("    revoked:", revoked, "proven:", proven)
        if not proven or revoked <= proven:
            raise Refused("certificate revoked")

    def chain(self, name):
        """The signer's certificate, then those of CAs that are in the signature, but no root's."""
        yield f"{name}-signer.pem"
        pems = re.findall("-----BEGIN.*?END CERTIFICATE-----\n", self.path(f"{name}-all", "pem").read_text(), re.S)
        for number, pem in enumerate(pems):
            self.path(f"{name}-{number}", "pem").write_text(pem)
            said = self.demand("x509", "-in", f"{name}-{number}.pem", "-noout", "-text", "-subject", "-issuer")
            [subject], [issuer] = re.findall("^subject=(.*)", said, re.M), re.findall("^issuer=(.*)", said, re.M)
            if "CA:TRUE" in said and subject != issuer:
                yield f"{name}-{number}.pem"


def errors(said):
    """What is wrong with certificates, or else with the rest."""
    return re.findall(r"(?:error \d+ at \d+ depth lookup|Verify error): ?([\w -]+)", said) or re.findall(
        r":error:\w+:[^:]*:[^:]*:([^:]+)", said
    )


def time(text):
    """Reads a time as openssl prints it; fractions of seconds are dropped."""
    return datetime.strptime(re.sub(r"\.\d+", "", text), "%b %d %H:%M:%S %Y GMT").replace(tzinfo=timezone.utc)


def at(when):
    return ("-attime", int(when.timestamp())) if when else ()


for name in sys.argv[2:]:
    verdict = "passed"
    print(name)
    try:
        Judge(name).judge()
    except Refused as refused:
        verdict = str(refused).replace(" ", "-")
    print("verdict", Path(name).name, verdict)
