package org.keywell.kmip.message;

import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The structure that names a version, in headers and in {@code DiscoverVersions}. */
final class VersionField {

  static final String TAG = "ProtocolVersion";

  private VersionField() {}

  static ProtocolVersion read(Value.Structure structure) {
    Fields fields = new Fields(TAG, structure, ProtocolVersion.V1_0);
    int major = fields.number("ProtocolVersionMajor");
    int minor = fields.number("ProtocolVersionMinor");
    fields.end();
    return new ProtocolVersion(major, minor);
  }

  static Item write(ProtocolVersion version) {
    return new FieldsBuilder()
        .integer("ProtocolVersionMajor", version.major())
        .integer("ProtocolVersionMinor", version.minor())
        .in(TAG);
  }
}
