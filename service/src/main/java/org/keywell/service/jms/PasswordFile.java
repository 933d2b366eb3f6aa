package org.keywell.service.jms;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.keywell.jms.BrokerException;
import org.keywell.jms.RequestListener;

/** The file with the password of this service at the broker. */
final class PasswordFile implements RequestListener.Password {

  private static final int LONGEST = 1024;

  private static final Set<PosixFilePermission> OWNERS =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private final Path path;

  PasswordFile(Path path) {
    this.path = path;
  }

  /**
   * Returns the password, without the end of its line.
   *
   * @throws BrokerException if the file cannot be read, or by others than its owner as well
   */
  @Override
  public String read() throws BrokerException {
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
      if (view != null && !OWNERS.containsAll(view.readAttributes().permissions())) {
        throw new BrokerException(
            "keywell.jms.password-file: others can read " + path + "; make its mode 0600");
      }
      if (Files.size(path) > LONGEST) {
        throw new BrokerException("keywell.jms.password-file: " + path + " is larger than 1 KiB");
      }
      return Files.readString(path, StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new BrokerException("keywell.jms.password-file: " + path + " cannot be read", e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
