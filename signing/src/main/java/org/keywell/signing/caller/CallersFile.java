package org.keywell.signing.caller;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.StrictYaml;

/** The operator's file that lists the callers; docs/CONFIGURATION.md describes its format. */
final class CallersFile {

  private static final String KEY = "callers";
  private static final String SETTING = "keywell.security.callers-file: ";

  /** Larger than any file that a person maintains. */
  private static final int MAX_BYTES = 1024 * 1024;

  private final Path path;
  private final Predicate<String> profiles;

  /**
   * @param profiles tests whether a certificate profile exists
   */
  CallersFile(Path path, Predicate<String> profiles) {
    this.path = path;
    this.profiles = profiles;
  }

  /**
   * Reads the file's content.
   *
   * @throws StartRefusedException if it cannot be read, or if others than its owner may write to
   *     it, since they could give themselves any right
   */
  byte[] read() {
    try (InputStream in = Files.newInputStream(path)) {
      refuseForeignWriters();
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new StartRefusedException(SETTING + path + " is larger than 1 MiB");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw new StartRefusedException(SETTING + path + " does not exist", e);
    } catch (IOException e) {
      throw new StartRefusedException(SETTING + path + " cannot be read", e);
    }
  }

  private void refuseForeignWriters() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> mode = view.readAttributes().permissions();
    if (mode.contains(PosixFilePermission.OTHERS_WRITE)
        || mode.contains(PosixFilePermission.GROUP_WRITE)) {
      throw new StartRefusedException(
          SETTING
              + path
              + " can be written to by its group or by others; make its mode 0644 or less");
    }
  }

  /**
   * Parses a file's content.
   *
   * @throws StartRefusedException naming the file and the first invalid entry
   */
  Callers parse(byte[] content) {
    CallerEntry[] entries = StrictYaml.bind(path.toString(), content, KEY, CallerEntry[].class);
    Map<CallerName, Caller> byName = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < entries.length; i++) {
      try {
        Caller caller = entries[i].toCaller(profiles);
        if (!names.add(caller.name())) {
          throw new IllegalArgumentException("name is another caller's, too");
        }
        for (CallerName other : entries[i].toNames()) {
          if (byName.put(other, caller) != null) {
            throw new IllegalArgumentException(other.field() + " is another caller's, too");
          }
        }
      } catch (IllegalArgumentException e) {
        throw new StartRefusedException(
            "%s: %s[%d] (%s): %s".formatted(path, KEY, i, entries[i].name(), e.getMessage()), e);
      }
    }
    return new Callers(byName);
  }

  /** Returns its name, without its directory. */
  String name() {
    return String.valueOf(path.getFileName());
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
