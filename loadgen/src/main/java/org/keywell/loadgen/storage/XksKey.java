package org.keywell.loadgen.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.keywell.loadgen.service.ServiceProgram;

/** The service's key for a run, by {@code ./keywell xks}. Closing it destroys the key. */
public record XksKey(ServiceProgram program, Path file, String name) implements AutoCloseable {

  /**
   * Makes it, and destroys one that a killed run has left.
   *
   * @param folder where its name is kept until the end
   * @param name which the service has never had
   */
  public static XksKey create(ServiceProgram program, Path folder, String name)
      throws IOException, InterruptedException {
    Path file = folder.resolve("key-name");
    if (Files.exists(file)) {
      new XksKey(program, file, Files.readString(file)).close();
    }
    Files.writeString(file, name);
    // If this is interrupted, there may be a key, and the next run has its name.
    program.run("xks", "create-key", name);
    return new XksKey(program, file, name);
  }

  void disable() throws IOException, InterruptedException {
    program.run("xks", "disable", name);
  }

  void enable() throws IOException, InterruptedException {
    program.run("xks", "enable", name);
  }

  @Override
  public void close() throws IOException {
    try {
      Tools.finish(() -> program.run("xks", "destroy", name));
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("there is no key")) {
        throw e;
      }
    }
    Files.delete(file);
  }
}
