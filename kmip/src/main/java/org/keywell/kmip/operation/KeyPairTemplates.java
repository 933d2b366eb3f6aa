package org.keywell.kmip.operation;

import org.keywell.kmip.message.OperationCall;

/** The attributes that a client gives for both halves of a new pair. */
record KeyPairTemplates(Template ofPrivate, Template ofPublic) {

  static KeyPairTemplates take(OperationCall<?> call) {
    Template common = Template.take(call, "CommonTemplateAttribute", "CommonAttributes");
    return new KeyPairTemplates(
        common.with(Template.take(call, "PrivateKeyTemplateAttribute", "PrivateKeyAttributes")),
        common.with(Template.take(call, "PublicKeyTemplateAttribute", "PublicKeyAttributes")));
  }
}
