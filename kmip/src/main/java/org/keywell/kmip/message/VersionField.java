package org.keywell.kmip.message;

import java.util.List;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The structure that names a version, in headers and in {@code DiscoverVersions}. */
final class VersionField {

  static final Tag TAG = Tag.named("ProtocolVersion");

  private static final Tag MAJOR = Tag.named("ProtocolVersionMajor");
  private static final Tag MINOR = Tag.named("ProtocolVersionMinor");

  private VersionField() {}

  static ProtocolVersion read(Value.Structure structure) {
    Fields fields = new Fields(TAG, structure, ProtocolVersion.V1_0);
    int major = fields.required(MAJOR, Value.Int.class).value();
    int minor = fields.required(MINOR, Value.Int.class).value();
    fields.end();
    return new ProtocolVersion(major, minor);
  }

  static Item write(ProtocolVersion version) {
    return TAG.item(
        List.of(
            MAJOR.item(new Value.Int(version.major())),
            MINOR.item(new Value.Int(version.minor()))));
  }
}
