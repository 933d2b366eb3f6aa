"""Reads the AuthContext extension (RFC 7773) of a certificate with pyasn1 and Python's XML parser.

Usage: auth_context.py CERTIFICATE.pem XML; writes the XML, and prints what it says.
"""

import base64
import sys
import xml.etree.ElementTree as ElementTree

from pyasn1.codec.der.decoder import decode
from pyasn1.type import char, namedtype, univ
from pyasn1_alt_modules import rfc5280

SACI = "{http://id.elegnamnden.se/auth-cont/1.0/saci}"
SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"


class AuthenticationContext(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.NamedType("contextType", char.UTF8String()),
        namedtype.OptionalNamedType("contextInfo", char.UTF8String()),
    )


class AuthenticationContexts(univ.SequenceOf):
    componentType = AuthenticationContext()


def main(certificate_file, xml_file):
    with open(certificate_file, encoding="ascii") as lines:
        pem = [line for line in lines if not line.startswith("-----")]
    certificate, rest = decode(base64.b64decode("".join(pem)), rfc5280.Certificate())
    assert not rest
    [extension] = [
        e
        for e in certificate["tbsCertificate"]["extensions"]
        if str(e["extnID"]) == "1.2.752.201.5.1"
    ]
    contexts, rest = decode(extension["extnValue"].asOctets(), AuthenticationContexts())
    assert not rest
    [context] = contexts
    print("critical:", bool(extension["critical"]))
    print("contextType:", context["contextType"])
    xml = str(context["contextInfo"])
    with open(xml_file, "w", encoding="utf-8") as out:
        out.write(xml)
    root = ElementTree.fromstring(xml)
    for name, value in root.find(SACI + "AuthContextInfo").attrib.items():
        print(f"{name}: {value}")
    for mapping in root.iter(SACI + "AttributeMapping"):
        attribute = mapping.find(SAML + "Attribute")
        value = attribute.find(SAML + "AttributeValue").text
        print(f"{mapping.get('Type')} {mapping.get('Ref')}: {attribute.get('Name')} = {value}")


main(*sys.argv[1:])
