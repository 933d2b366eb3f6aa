"""Verifies the signatures of an XML file: verify-xml.py FILE ROOT-PEM.

What xmlsec1 --verify does, with the library of the same maker in a version that knows RSASSA-PSS.
References without a scheme are files beside it. Exit code 0: all hold, a line each.
"""
import sys

from lxml import etree
import xmlsec

SIGNED_PROPERTIES = "{http://uri.etsi.org/01903/v1.3.2#}SignedProperties"
OBJECT = "{http://www.w3.org/2000/09/xmldsig#}Object"

document = etree.parse(sys.argv[1])
signatures = list(document.iter("{http://www.w3.org/2000/09/xmldsig#}Signature"))
for signature in signatures:
    keys = xmlsec.KeysManager()
    keys.load_cert(sys.argv[2], xmlsec.KeyFormat.PEM, xmlsec.KeyDataType.TRUSTED)
    context = xmlsec.SignatureContext(keys)
    for element in signature.iter(SIGNED_PROPERTIES, OBJECT):
        if "Id" in element.attrib:
            context.register_id(element, "Id")
    try:
        context.verify(signature)
    except xmlsec.Error as refusal:
        sys.exit(f"{refusal} (libxmlsec {xmlsec.get_libxmlsec_version()})")
    print(f"{signature.get('Id')} holds")
sys.exit(0 if signatures else "no signature")
