package org.keywell.service.running;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Looks at the database behind the service's back. */
public final class Sql {

  private final DataSource dataSource;

  public Sql(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** The only number that the query returns. */
  public long count(String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The only text that the query returns. */
  public String text(String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  /** Returns how many rows changed. */
  public int update(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }
}
