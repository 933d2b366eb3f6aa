package org.keywell.ca.issuance;

import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.qualified.ETSIQCObjectIdentifiers;
import org.bouncycastle.asn1.x509.qualified.QCStatement;
import org.bouncycastle.asn1.x509.qualified.RFC3739QCObjectIdentifiers;
import org.bouncycastle.asn1.x509.qualified.SemanticsInformation;
import org.keywell.ca.QcStatements;

/** Encodes the statements of a qualified certificate (RFC 3739, ETSI EN 319 412-5). */
final class QcStatementsExtension {
  /** ETSI EN 319 412-1, clause 5.1.2: id-etsi-qcs-semanticsId-Natural. */
  private static final ASN1ObjectIdentifier NATURAL_PERSON =
      new ASN1ObjectIdentifier("0.4.0.194121.1.1");

  private QcStatementsExtension() {}

  static DERSequence of(QcStatements statements) {
    ASN1EncodableVector all = new ASN1EncodableVector();
    if (statements.naturalPersonSemantics()) {
      all.add(
          new QCStatement(
              RFC3739QCObjectIdentifiers.id_qcs_pkixQCSyntax_v2, semantics(statements)));
    }
    if (statements.compliance()) {
      all.add(new QCStatement(ETSIQCObjectIdentifiers.id_etsi_qcs_QcCompliance));
    }
    if (!statements.legislation().isEmpty()) {
      ASN1EncodableVector countries = new ASN1EncodableVector();
      statements.legislation().forEach(country -> countries.add(new DERPrintableString(country)));
      all.add(
          new QCStatement(
              ETSIQCObjectIdentifiers.id_etsi_qcs_QcCClegislation, new DERSequence(countries)));
    }
    if (statements.sscd()) {
      all.add(new QCStatement(ETSIQCObjectIdentifiers.id_etsi_qcs_QcSSCD));
    }
    if (statements.electronicSignature()) {
      all.add(
          new QCStatement(
              ETSIQCObjectIdentifiers.id_etsi_qcs_QcType,
              new DERSequence(ETSIQCObjectIdentifiers.id_etsi_qct_esign)));
    }
    if (!statements.pds().isEmpty()) {
      all.add(new QCStatement(ETSIQCObjectIdentifiers.id_etsi_qcs_QcPds, pds(statements)));
    }
    return new DERSequence(all);
  }

  private static SemanticsInformation semantics(QcStatements statements) {
    return statements
        .nameRegistrationAuthority()
        .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri.toString()))
        .map(name -> new SemanticsInformation(NATURAL_PERSON, new GeneralName[] {name}))
        .orElseGet(() -> new SemanticsInformation(NATURAL_PERSON));
  }

  private static DERSequence pds(QcStatements statements) {
    ASN1EncodableVector locations = new ASN1EncodableVector();
    for (QcStatements.Pds pds : statements.pds()) {
      locations.add(
          new DERSequence(
              new DERIA5String(pds.url().toString()), new DERPrintableString(pds.language())));
    }
    return new DERSequence(locations);
  }
}
