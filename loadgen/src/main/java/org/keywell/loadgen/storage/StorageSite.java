package org.keywell.loadgen.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/**
 * The files of a run: certificate, credential, passwords, and the service's and the databases'
 * settings. Closing it removes the files.
 *
 * @param lock keeps a second run away
 */
public record StorageSite(
    Tools tools, Path folder, Path logs, TrialSite certificates, FileChannel lock)
    implements AutoCloseable {
  /** The first part of the names of the external key store's settings, which are this run's. */
  public static final String PREFIX = "KEYWELL_XKS_";

  private static final String USER = "keywell";
  private static final String ID = "KEYWELLLOADSTORAGE234567";
  private static final int SECRET_BYTES = 33;
  private static final String LOCAL_KEY = "local.key";
  private static final String LOCK = "lock";
  private static final String CREDENTIALS = "credentials";
  private static final String PASSWORD = "password";
  private static final String PGPASS = "pgpass";

  /**
   * Creates them.
   *
   * @param folder is removed at the end, if it is empty then
   * @param logs where servers leave their logs
   * @throws IllegalArgumentException if another run uses the folder, or there is too little room
   */
  public static StorageSite create(
      Tools tools, Path folder, Path logs, OpenSsl openSsl, StoragePlan plan)
      throws IOException, InterruptedException {
    long needed = 2 * plan.volumeBytes();
    if (Files.getFileStore(folder.getParent()).getUsableSpace() < needed) {
      throw new IllegalArgumentException(
          "%s has less than %,d MB of free space".formatted(folder.getParent(), needed >> 20));
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    FileChannel lock =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (lock.tryLock() == null) {
        throw new IllegalArgumentException("another load storage runs in " + folder);
      }
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "tls-*")) {
        for (Path one : left) {
          new TrialSite(one, false).close();
        }
      }
      TlsPlan tls = new TlsPlan(1, 1, 0, List.of(), List.of(), true, false);
      StorageSite site =
          new StorageSite(tools, folder, logs, TrialSite.create(folder, openSsl, tls), lock);
      String secret = Base64.getEncoder().encodeToString(LocalKeys.random(SECRET_BYTES));
      String password = HexFormat.of().formatHex(LocalKeys.random(16));
      site.write(CREDENTIALS, ID + " " + secret);
      site.write(PASSWORD, password);
      site.write(PGPASS, "127.0.0.1:*:*:%s:%s".formatted(USER, password));
      return site;
    } catch (IOException | InterruptedException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private void write(String name, String line) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, line + "\n");
  }

  /** Returns the environment of a service that is an external key store, on this machine alone. */
  public Map<String, String> serviceSettings(int port) {
    Map<String, String> all = certificates.tlsSettings();
    all.put(PREFIX + "ENABLED", "true");
    all.put(PREFIX + "PORT", Integer.toString(port));
    all.put(PREFIX + "BUNDLE", "trial");
    all.put(PREFIX + "CREDENTIALSFILE", folder.resolve(CREDENTIALS).toString());
    // The first request meets code that is not compiled yet, and nobody asks again.
    all.put(PREFIX + "DEADLINE", "5s");
    // Neither loads nor generates signing keys meanwhile.
    all.put("KEYWELL_POOL_MODE", "on-the-fly");
    return all;
  }

  /** Makes the local key manager. */
  LocalKeys localKeys() throws IOException {
    return LocalKeys.create(folder.resolve(LOCAL_KEY));
  }

  /** Returns a client of that service. */
  XksClient client(int port) throws IOException {
    String secret = Files.readString(folder.resolve(CREDENTIALS)).strip().split(" ", -1)[1];
    URI base = URI.create("https://127.0.0.1:" + port + "/kms/xks/v1");
    return new XksClient(certificates.client(), base, ID, secret);
  }

  /** Makes a database's files in an empty directory. */
  void initialize(Path data) throws IOException, InterruptedException {
    String _ =
        tools.run(
            "unshare",
            "--user",
            tools.path("initdb"),
            "--pgdata=" + data,
            "--username=" + USER,
            "--auth=scram-sha-256",
            "--pwfile=" + folder.resolve(PASSWORD),
            "--encoding=UTF8",
            "--locale=C");
  }

  /**
   * Returns the command of a server that ends with this process. PostgreSQL refuses root: in a user
   * namespace it is nobody, and still owns what root owns.
   */
  List<String> postgres(Path data, int port) {
    return List.of(
        tools.path("unshare"),
        "--user",
        tools.path("setpriv"),
        "--pdeathsig=INT",
        tools.path("postgres"),
        "-D",
        data.toString(),
        "-p",
        Integer.toString(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=");
  }

  /** Returns the benchmark of the database at a port. */
  Pgbench pgbench(int port) {
    String passwords = folder.resolve(PGPASS).toString().replaceAll("[\\\\']", "\\\\$0");
    return new Pgbench(
        tools,
        "host=127.0.0.1 port=%d user=%s dbname=postgres passfile='%s'"
            .formatted(port, USER, passwords));
  }

  @Override
  public void close() throws IOException {
    for (String name : List.of(CREDENTIALS, LOCAL_KEY, PASSWORD, PGPASS, LOCK)) {
      Files.deleteIfExists(folder.resolve(name));
    }
    certificates.close();
    lock.close();
    Files.deleteIfExists(folder);
  }
}
