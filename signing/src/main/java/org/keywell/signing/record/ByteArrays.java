package org.keywell.signing.record;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Values of columns of type {@code bytea[]}. */
final class ByteArrays {

  private ByteArrays() {}

  static Array of(Connection connection, List<byte[]> values) throws SQLException {
    return connection.createArrayOf("bytea", values.toArray(byte[][]::new));
  }
}
