"""Prints openssl's verdict on each signed PDF or XML: openssl_verdicts.py ROOT-PEM FILE...

From the outside in: the newest time stamp must verify now, and what it covers must verify at the time that it proves.
Each certificate below the root must be in the scope of a list of revoked certificates, in the document or else
fetched, unless it states that there is no revocation to check (RFC 9608). The newest time stamp is exempt: only a
list of the day could say whether its unit or a CA has been revoked by now.

Python takes the file apart, into FILE.parts, and reads what openssl says; openssl does all cryptography, and xmlsec1
that of an XML signature. Each command is printed and can be repeated in that directory. What later revisions add to a
PDF's pages is not judged.
"""
import base64
import re
import subprocess
import sys
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

from lxml import etree
from pyhanko.pdf_utils.reader import PdfFileReader

ROOT = Path(sys.argv[1]).resolve()


class Refused(Exception):
    pass


class Judge:
    """A kind of file takes itself apart, in the order of signing, and has its signature verified."""

    def __init__(self, file):
        self.parts = Path(f"{file}.parts").resolve()
        self.parts.mkdir(exist_ok=True)
        self.file = Path(file).resolve()
        self.names, self.lists = [], []
        self.take_apart()

    def add(self, kind, data, der):
        self.names.append(f"{kind}{len(self.names)}")
        self.path(self.names[-1], "data").write_bytes(data)
        self.path(self.names[-1], "der").write_bytes(der)

    def add_list(self, der):
        self.lists.append(f"list{len(self.lists)}")
        self.path(self.lists[-1], "der").write_bytes(der)

    def path(self, name, suffix):
        return self.parts / f"{name}.{suffix}"

    def openssl(self, *arguments):
        """Returns whether openssl succeeds, and what it says."""
        return self.run("openssl", *arguments)

    def run(self, *arguments):
        command = [str(each) for each in arguments]
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
        self.verify(signature, proven)
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


class Pdf(Judge):
    def take_apart(self):
        pdf, end = self.file.read_bytes(), 0
        with open(self.file, "rb") as stream:
            reader = PdfFileReader(stream)
            for signature in reader.embedded_signatures:
                start, length, after, rest = signature.byte_range
                hole = pdf[length:after]
                # Each covers all before it.
                if start or length < end or hole[:1] + hole[-1:] != b"<>" or bytes.fromhex(hole[1:-1].decode()) != signature.pkcs7_content:
                    raise Refused("parts are not signed")
                end = after + rest
                kind = "stamp" if signature.sig_object["/Type"] == "/DocTimeStamp" else "signature"
                self.add(kind, pdf[:length] + pdf[after : after + rest], signature.pkcs7_content)
            dss = reader.root["/DSS"] if "/DSS" in reader.root else {}
            for crl in dss["/CRLs"] if "/CRLs" in dss else []:
                self.add_list(crl.get_object().data)

    def verify(self, signature, proven):
        self.unpack(signature, "-content", f"{signature}.data")
        self.demand(
            "cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", f"{signature}.der",
            "-content", f"{signature}.data", "-out", "/dev/null",
            "-CAfile", ROOT, "-purpose", "any", *at(proven),
        )  # fmt: skip


class Xml(Judge):
    """An enveloped XAdES signature (ETSI EN 319 132-1) over the whole document."""

    SPACES = {
        "ds": "http://www.w3.org/2000/09/xmldsig#",
        "xades": "http://uri.etsi.org/01903/v1.3.2#",
        "xades141": "http://uri.etsi.org/01903/v1.4.1#",
    }
    EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
    FILTER = "http://www.w3.org/2002/06/xmldsig-filter2"

    def take_apart(self):
        tree = etree.parse(self.file, etree.XMLParser(resolve_entities=False, no_network=True))
        [signature] = self.find(tree, "//ds:Signature")
        [properties] = self.find(signature, "ds:Object/xades:QualifyingProperties/xades:SignedProperties")
        [whole, of_properties] = self.find(signature, "ds:SignedInfo/ds:Reference")
        transforms = [each.get("Algorithm") for each in self.find(whole, "ds:Transforms/ds:Transform")]
        if (
            tree.docinfo.doctype
            or whole.get("URI") != ""
            or transforms != [self.FILTER, self.EXCLUSIVE]
            or [each.text for each in whole.iter("{*}XPath")] != ["/descendant::ds:Signature"]
            or of_properties.get("URI") != "#" + properties.get("Id")
            or len(self.find(signature, "ds:Object")) != 1
        ):
            raise Refused("parts are not signed")
        [info, value, keys] = [self.find(signature, f"ds:{each}")[0] for each in ("SignedInfo", "SignatureValue", "KeyInfo")]
        self.add("signature", b"", b"")
        self.certificates = [base64.b64decode(each.text) for each in self.find(keys, "ds:X509Data/ds:X509Certificate")]
        # What an archive time stamp covers (section 5.5.2.2).
        covered = self.without(tree) + b"".join(map(canonical, (properties, info, value, keys)))
        for each in self.find(signature, "ds:Object/xades:QualifyingProperties/xades:UnsignedProperties/xades:UnsignedSignatureProperties/*"):
            tag = etree.QName(each).localname
            if tag.endswith("TimeStamp"):
                [method] = self.find(each, "ds:CanonicalizationMethod/@Algorithm")
                [stamp] = self.find(each, "xades:EncapsulatedTimeStamp")
                data = {"SignatureTimeStamp": canonical(value), "ArchiveTimeStamp": covered}.get(tag)
                if data is None or method != self.EXCLUSIVE:
                    raise Refused("unknown time stamp")
                self.add("stamp", data, base64.b64decode(stamp.text))
            covered += canonical(each)
        for crl in self.find(signature, ".//xades:EncapsulatedCRLValue"):
            self.add_list(base64.b64decode(crl.text))

    def find(self, where, path):
        return where.xpath(path, namespaces=self.SPACES)

    def without(self, tree):
        """Returns the document without the signature."""
        copy = etree.fromstring(etree.tostring(tree)).getroottree()
        [signature] = self.find(copy, "//ds:Signature")
        before, parent = signature.getprevious(), signature.getparent()
        if before is not None:
            before.tail = (before.tail or "") + (signature.tail or "")
        else:
            parent.text = (parent.text or "") + (signature.tail or "")
        parent.remove(signature)
        return canonical(copy)

    def verify(self, signature, proven):
        pems = [self.demand("x509", "-inform", "DER", "-in", self.written_der(n, each)) for n, each in enumerate(self.certificates)]
        self.path(f"{signature}-signer", "pem").write_text(pems[0])
        self.path(f"{signature}-all", "pem").write_text("".join(pems))
        # xmlsec1 says of certificates only that they are not trusted; openssl says why.
        self.demand(
            "verify", "-x509_strict", "-CAfile", ROOT, "-untrusted", f"{signature}-all.pem", *at(proven),
            f"{signature}-signer.pem",
        )  # fmt: skip
        when = (proven or datetime.now(timezone.utc)).strftime("%Y-%m-%d %H:%M:%S")
        succeeds, _ = self.run(
            "xmlsec1", "--verify", "--enabled-reference-uris", "empty,same-doc", "--id-attr:Id", "SignedProperties",
            "--pubkey-cert-pem", f"{signature}-signer.pem", "--verification-gmt-time", when, self.file,
        )  # fmt: skip
        if not succeeds:
            raise Refused("XML signature does not verify")

    def written_der(self, number, der):
        path = self.path(f"certificate{number}", "der")
        path.write_bytes(der)
        return path


def canonical(node):
    return etree.tostring(node, method="c14n", exclusive=True, with_comments=False, with_tail=False)


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
        (Xml if name.endswith(".xml") else Pdf)(name).judge()
    except Refused as refused:
        verdict = str(refused).replace(" ", "-")
    print("verdict", Path(name).name, verdict)
