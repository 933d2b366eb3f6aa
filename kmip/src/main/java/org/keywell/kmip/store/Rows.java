package org.keywell.kmip.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;

/** Reads rows of {@code managed_object}. */
final class Rows {

  static final String COLUMNS =
      "id, owner, object_type, state, attributes, wrapping_key_id, material, public_half";

  private Rows() {}

  /**
   * Reads the only row of a query for {@link #COLUMNS}.
   *
   * @throws KmipException if there is none
   */
  static ManagedObject only(ResultSet row) throws SQLException {
    if (!row.next()) {
      throw new KmipException("ObjectNotFound", "object not found");
    }
    return new ManagedObject(
        row.getObject("id", UUID.class),
        row.getString("owner"),
        type(row),
        state(row),
        attributes(row),
        material(row));
  }

  static ObjectType type(ResultSet row) throws SQLException {
    return ObjectType.valued(row.getInt("object_type"));
  }

  static State state(ResultSet row) throws SQLException {
    return State.valued(row.getInt("state"));
  }

  static Attributes attributes(ResultSet row) throws SQLException {
    return Attributes.decode(row.getBytes("attributes"));
  }

  private static @Nullable Material material(ResultSet row) throws SQLException {
    byte[] material = row.getBytes("material");
    String wrappingKey = row.getString("wrapping_key_id");
    if (material == null || wrappingKey == null) {
      return material == null ? null : new Material.Plain(material);
    }
    return new Material.Wrapped(wrappingKey, material, row.getBytes("public_half"));
  }
}
