"""Prints what pyHanko says of each signature of a PDF: verify-pdf.py FILE ROOT-PEM.

Exit code 0: all are valid, and what came after each is what a signed document may still change.
"""
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

root = load_cert_from_pemder(sys.argv[2])
with open(sys.argv[1], "rb") as file:
    statuses = [
        validate_pdf_signature(signature, ValidationContext(trust_roots=[root]))
        for signature in PdfFileReader(file).embedded_regular_signatures
    ]
for status in statuses:
    print(status.summary())
sys.exit(0 if statuses and all(status.bottom_line for status in statuses) else 1)
