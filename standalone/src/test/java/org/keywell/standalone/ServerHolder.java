package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.keywell.signing.database.DatabaseAccess;

/** Another process that owns a database, tells so, and halts at the end of its input. */
final class ServerHolder {

  private ServerHolder() {}

  public static void main(String[] args) throws IOException, SQLException {
    DatabaseAccess access = EmbeddedDatabase.own(Path.of(args[0])).access();
    try (Connection connection =
            DriverManager.getConnection(access.url(), access.username(), access.password());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept AS SELECT 42 AS value");
    }
    System.out.println("owned");
    int end = System.in.read();
    Runtime.getRuntime().halt(end);
  }

  static Process start(Path home) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            ServerHolder.class.getName(),
            home.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
