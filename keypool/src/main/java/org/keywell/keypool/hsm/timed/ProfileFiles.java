package org.keywell.keypool.hsm.timed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds device profiles: the built-in ones and users' own files. */
final class ProfileFiles {

  static final List<String> BUILT_IN = List.of("luna-sa-1700", "luna-sa-1700-remote");

  /** A profile is a dozen lines; anything longer is something else. */
  private static final int MAX_BYTES = 64 * 1024;

  private ProfileFiles() {}

  /** See {@link DeviceProfile#named}. */
  static DeviceProfile named(String nameOrPath) {
    if (isPath(nameOrPath)) {
      DeviceProfile profile = ProfileText.parse(nameOrPath, read(nameOrPath));
      if (BUILT_IN.contains(profile.name())) {
        throw new IllegalArgumentException(
            nameOrPath + ": name " + profile.name() + " is that of a built-in profile");
      }
      return profile;
    }
    if (!BUILT_IN.contains(nameOrPath)) {
      throw new IllegalArgumentException(
          "unknown device profile '"
              + nameOrPath
              + "'; built in: "
              + String.join(", ", BUILT_IN)
              + "; or give the path of a .yaml file");
    }
    return builtIn(nameOrPath);
  }

  private static boolean isPath(String nameOrPath) {
    return nameOrPath.contains("/") || nameOrPath.endsWith(".yaml") || nameOrPath.endsWith(".yml");
  }

  private static DeviceProfile builtIn(String name) {
    String resource = name + ".yaml";
    try (@Nullable InputStream in = ProfileFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      return ProfileText.parse(resource, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(String path) {
    try {
      Path file = Path.of(path);
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException(path + ": no such file");
      }
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(path + ": more than " + MAX_BYTES + " bytes");
      }
      return Files.readString(file);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(path + ": not a path", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(path + ": cannot be read as UTF-8 text", e);
    }
  }
}
