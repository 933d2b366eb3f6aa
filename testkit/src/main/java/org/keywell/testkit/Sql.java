package org.keywell.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
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

  /** The texts of the query's only column; bytes as PostgreSQL writes them, in hexadecimal. */
  public List<String> texts(String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
    }
    return texts;
  }

  /** The values of the query's only column, of type {@code bytea}. */
  public List<byte[]> bytes(String query) throws SQLException {
    List<byte[]> values = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getBytes(1));
      }
    }
    return values;
  }

  /** Returns how many rows changed. */
  public int update(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }
}
