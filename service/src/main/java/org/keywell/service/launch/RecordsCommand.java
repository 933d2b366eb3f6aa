package org.keywell.service.launch;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.util.UUID;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.OwnerConnections;
import org.keywell.signing.record.Erasure;
import org.keywell.signing.record.archive.Archive;
import org.keywell.signing.record.archive.ArchiveFailedException;
import org.keywell.signing.record.archive.Progress;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The commands that end the time of records, as the owner of the tables: {@code archive} and {@code
 * erase}. Exit code 1 if it cannot be done.
 */
final class RecordsCommand {

  private static final int FAILED = 1;

  private RecordsCommand() {}

  static void archive(YearMonth before, Path directory) {
    with(owner -> {
      Progress progress = new Progress(System.err::println, System::nanoTime);
      try {
        int months = new Archive(owner, directory, progress).run(before, Instant.now());
        System.out.printf("%d months before %s are archived in %s%n", months, before, directory);
        return 0;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return FAILED;
      }
    });
  }

  static void erase(UUID requestId) {
    with(owner -> {
      String end =
          switch (new Erasure(owner).erase(requestId)) {
            case ERASED -> "";
            case ERASED_BEFORE -> "its signer's data had been erased before";
            case NOT_ENDED -> "it has not ended; erase it afterwards";
            case UNKNOWN -> "there is no such record; if it is archived, erase it there";
            case ARCHIVING -> "records are being archived; erase it afterwards";
          };
      if (end.isEmpty()) {
        System.out.printf("the signer's data is erased from the record of request %s%n", requestId);
        return 0;
      }
      System.err.printf("keywell: request %s: %s%n", requestId, end);
      return FAILED;
    });
  }

  private static void with(ToIntFunction<DataSource> command) {
    int exitCode;
    try (ConfigurableApplicationContext context =
            StoppableStart.run(
                new SpringApplicationBuilder(DatabaseCommand.Migrated.class)
                    .web(WebApplicationType.NONE),
                "--logging.level.root=WARN");
        HikariDataSource owner = OwnerConnections.of(context.getBean(DatabaseServer.class))) {
      exitCode = command.applyAsInt(owner);
    } catch (ArchiveFailedException | DatabaseException e) {
      System.err.println("keywell: " + e.getMessage());
      exitCode = FAILED;
    }
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }
}
