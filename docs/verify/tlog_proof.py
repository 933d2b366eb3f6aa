#!/usr/bin/env python3
"""Verifies offline that an entry is in a log, by its .tlog-proof file (c2sp.org/tlog-proof@v1).

Shares no code with Keywell: Python's standard library, and openssl for the signatures.

    tlog_proof.py --log KEY [--witness KEY ... --quorum N] [--entry FILE] PROOF

KEY is a verifier key, name+id+base64 (c2sp.org/signed-note): Ed25519 or ECDSA for the log, whose
name is its origin; time-stamped Ed25519 for a witness. N witnesses must have signed the checkpoint,
by default all that are named. FILE holds the entry's bytes; without it,
they are the proof's extra data, as in a proof by Keywell, and are printed: it is for you to say
whether they tell of your document. Exits with 0 if everything holds, with 1 and the reason if not.
"""

import argparse
import base64
import binascii
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

ED25519, ECDSA, COSIGNATURE = 1, 2, 4
ED25519_SPKI = bytes.fromhex("302a300506032b6570032100")


class Refused(Exception):
    """What does not hold."""


def unbase64(text):
    try:
        decoded = base64.b64decode(text, validate=True)
    except binascii.Error as e:
        raise Refused(f"not base64: {text}") from e
    if base64.b64encode(decoded).decode() != text:
        raise Refused(f"not canonical base64: {text}")
    return decoded


def decimal(text):
    if not text.isascii() or not text.isdigit() or str(int(text)) != text:
        raise Refused(f"not a number: {text}")
    return int(text)


class Key:
    """A verifier key."""

    def __init__(self, vkey):
        try:
            self.name, key_id, typed = vkey.split("+", 2)
            self.id = bytes.fromhex(key_id)
        except ValueError as e:
            raise Refused(f"not a verifier key: {vkey}") from e
        typed = unbase64(typed)
        self.type, material = typed[0], typed[1:]
        if self.type not in (ED25519, ECDSA, COSIGNATURE):
            raise Refused(f"a verifier key of unknown type: {vkey}")
        if self.type == ECDSA:
            self.spki, hashed = material, material
        else:
            self.spki = ED25519_SPKI + material
            hashed = self.name.encode() + b"\n" + typed
        if hashlib.sha256(hashed).digest()[:4] != self.id:
            raise Refused(f"the id is not that of the key: {vkey}")

    def verifies(self, text, signature):
        message = text.encode()
        if self.type == COSIGNATURE:
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            message = f"cosignature/v1\ntime {time}\n".encode() + message
        with tempfile.TemporaryDirectory() as directory:
            files = {"key": self.spki, "message": message, "signature": signature}
            paths = {name: str(Path(directory, name)) for name in files}
            for name, content in files.items():
                Path(paths[name]).write_bytes(content)
            command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER"]
            command += ["-inkey", paths["key"], "-in", paths["message"], "-rawin"]
            command += ["-sigfile", paths["signature"]]
            if self.type == ECDSA:
                command += ["-digest", "sha256"]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0


def signers(text, lines, keys):
    """Returns which keys signed; a known key's wrong signature refuses the note."""
    found = set()
    for line in lines:
        dash, name, signature = (line.split(" ") + ["", ""])[:3]
        if dash != "\u2014" or line != f"{dash} {name} {signature}":
            raise Refused(f"not a signature line: {line}")
        signature = unbase64(signature)
        for key in keys:
            if (key.name, key.id) == (name, signature[:4]):
                if not key.verifies(text, signature[4:]):
                    raise Refused(f"a signature of {name} does not verify")
                found.add(key)
    return found


def root(leaf, index, size, proof):
    """Returns the root that the proof leads to (RFC 9162, section 2.1.3.2)."""
    node, last, result = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise Refused("the inclusion proof is too long")
        if node % 2 == 1 or node == last:
            result = hashlib.sha256(b"\1" + sibling + result).digest()
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            result = hashlib.sha256(b"\1" + result + sibling).digest()
        node, last = node >> 1, last >> 1
    if last != 0:
        raise Refused("the inclusion proof is too short")
    return result


def verify(proof_file, entry, log, witnesses, quorum):
    head, separator, note = proof_file.decode().partition("\n\n")
    text, signatures_follow, signatures = note.rpartition("\n\n")
    lines = head.split("\n")
    if not separator or not signatures_follow or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Refused("not a proof file")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = unbase64(lines.pop(0).removeprefix("extra "))
    if entry is None and extra is None:
        raise Refused("the proof does not hold the entry: name it by --entry")
    if not lines or not lines[0].startswith("index "):
        raise Refused("the proof has no index")
    index = decimal(lines.pop(0).removeprefix("index "))
    hashes = [unbase64(line) for line in lines]
    text += "\n"
    found = signers(text, signatures.removesuffix("\n").split("\n"), [log, *witnesses])
    if log not in found:
        raise Refused("the log has not signed the checkpoint")
    if len(found) - 1 < quorum:
        raise Refused(f"{len(found) - 1} of {quorum} witnesses have signed the checkpoint")
    origin, size, root_hash = text.split("\n")[:3]
    if origin != log.name:
        raise Refused(f"the checkpoint is of another log: {origin}")
    size = decimal(size)
    leaf = hashlib.sha256(b"\0" + (extra if entry is None else entry)).digest()
    if index >= size or root(leaf, index, size, hashes) != unbase64(root_hash):
        raise Refused("the entry is not in the log")
    told = f"entry {index} of {size} of {origin}, seen by {len(found) - 1} witnesses"
    return told if entry is not None else f"{printable(extra.decode())}\n{told}"


def printable(text):
    """A log may hold text of others, which must not control the terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--log", required=True, metavar="KEY")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY")
    parser.add_argument("--quorum", type=int, metavar="N")
    parser.add_argument("--entry", type=Path, metavar="FILE")
    parser.add_argument("proof", type=Path, metavar="PROOF")
    options = parser.parse_args()
    try:
        witnesses = [Key(vkey) for vkey in set(options.witness)]
        entry = options.entry.read_bytes() if options.entry else None
        proof = options.proof.read_bytes()
        quorum = len(witnesses) if options.quorum is None else options.quorum
        print(verify(proof, entry, Key(options.log), witnesses, quorum))
    except (Refused, OSError, UnicodeDecodeError) as e:
        print(f"tlog_proof.py: {e}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
