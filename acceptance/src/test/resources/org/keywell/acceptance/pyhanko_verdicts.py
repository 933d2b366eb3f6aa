"""Prints pyHanko's verdict on each signed PDF: pyhanko_verdicts.py ROOT-PEM PDF...

Follows ETSI EN 319 102-1: clause 5.3, then clause 5.6.3 with what the document's time stamps prove. pyHanko's
own function for the latter demands a time stamp in the CMS; DSS's level T is a time stamp of the document. A
certificate that names a list must not be in it; lists are in the document, or fetched. pyHanko is told what only
a list of the day of judgement can say: that no CA, and not the unit of the last time stamp, has been revoked.
"""
import asyncio
import dataclasses
import logging
import sys
from datetime import datetime, timezone
from pathlib import Path

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.diff_analysis import DEFAULT_DIFF_POLICY
from pyhanko.sign.validation import ades
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.policy_decl import SignatureValidationSpec
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import (
    CertRevTrustPolicy,
    NonRevokedStatusAssertion,
    RevocationCheckingPolicy,
)
from pyhanko_certvalidator.registry import SimpleTrustManager

ROOT = load_cert_from_pemder(sys.argv[1])
SPEC = SignatureValidationSpec(
    CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build(trust_roots=[ROOT]),
        revinfo_policy=CertRevTrustPolicy(RevocationCheckingPolicy.from_legacy("hard-fail")),
    )
)


def knowing(reader, now):
    """The policy, with what is in the document."""
    known = ades._dss_to_local_knowledge(reader)
    unrevoked = [stamp.signer_cert for stamp in reader.embedded_timestamp_signatures[-1:]]
    for signature in reader.embedded_signatures:
        unrevoked += [each for each in signature.other_embedded_certs if each.ca]
    return dataclasses.replace(
        SPEC,
        local_knowledge=dataclasses.replace(
            known,
            nonrevoked_assertions=[
                NonRevokedStatusAssertion(each.sha256, at=now) for each in unrevoked
            ],
        ),
    )


async def judge(reader):
    [signature] = reader.embedded_regular_signatures
    timing = ValidationTimingInfo(
        validation_time=datetime.now(timezone.utc),
        best_signature_time=datetime.now(timezone.utc),
        point_in_time_validation=False,
    )
    spec = knowing(reader, timing.validation_time)
    basic = await ades.ades_basic_validation(
        signature.signed_data, spec, timing_info=timing, raw_digest=signature.compute_digest()
    )
    stamps = ades._build_prima_facie_poe_index_from_pdf_timestamps(
        reader, include_content_ts=True, diff_policy=DEFAULT_DIFF_POLICY
    )
    if basic.ades_subindic == AdESPassed.OK or not stamps:
        return basic.ades_subindic
    try:
        proofs = await ades._validate_prima_facie_poe(stamps, spec, timing)
    except SignatureValidationError as refused:
        print("time stamps:", refused.failure_message, refused.ades_subindication)
        return basic.ades_subindic
    return await ades.ades_past_signature_validation(
        signature.signed_data, spec, proofs, basic.ades_subindic, timing.validation_time
    )


logging.disable(logging.WARNING)
for name in sys.argv[2:]:
    with open(name, "rb") as file:
        verdict = asyncio.run(judge(PdfFileReader(file)))
    print("verdict", Path(name).name, "passed" if verdict == AdESPassed.OK else verdict.standard_name)
