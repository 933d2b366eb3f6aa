package org.keywell.kmip.operation;

import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;

/** The attributes that a client gives for both halves of a new pair. */
record KeyPairTemplates(Template ofPrivate, Template ofPublic) {

  static KeyPairTemplates take(OperationCall<?> call, Fields fields) {
    Template common = Template.take(call, fields, "CommonTemplateAttribute", "CommonAttributes");
    return new KeyPairTemplates(
        common.with(
            Template.take(call, fields, "PrivateKeyTemplateAttribute", "PrivateKeyAttributes")),
        common.with(
            Template.take(call, fields, "PublicKeyTemplateAttribute", "PublicKeyAttributes")));
  }
}
