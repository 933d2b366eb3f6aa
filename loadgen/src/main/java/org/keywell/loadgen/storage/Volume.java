package org.keywell.loadgen.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mounted ext4 file system in a file, with one encrypted directory. Closing it removes all of it.
 * Not thread-safe.
 */
public final class Volume implements AutoCloseable {
  private static final Duration FREE_WITHIN = Duration.ofSeconds(20);
  private static final long LOOK_MILLIS = 100;

  /** Exists in the directory of every PostgreSQL; its name is encrypted, too. */
  private static final String IN_EACH = "PG_VERSION";

  private final Tools tools;
  private final Path image;
  private final Path mount;
  private byte @Nullable [] identifier;

  private Volume(Tools tools, Path folder, String name) {
    this.tools = tools;
    this.image = folder.resolve(name + ".img");
    this.mount = folder.resolve(name);
  }

  /**
   * Makes one, in place of one that a killed run has left.
   *
   * @throws IllegalArgumentException if this machine or this user cannot; the message says why
   */
  public static Volume create(StorageSite site, String name, long bytes)
      throws IOException, InterruptedException {
    return create(site.tools(), site.folder(), name, bytes);
  }

  static Volume create(Tools tools, Path folder, String name, long bytes)
      throws IOException, InterruptedException {
    Volume volume = new Volume(tools, folder, name);
    volume.close();
    try {
      volume.make(bytes);
      return volume;
    } catch (IOException e) {
      volume.close();
      throw new IllegalArgumentException("no encrypted file system here: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      volume.close();
      throw e;
    }
  }

  private void make(long bytes) throws IOException, InterruptedException {
    // What it does not hold takes no space.
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    // The kernel would else initialise the rest beside the measurement.
    String atOnce = "lazy_itable_init=0,lazy_journal_init=0";
    tools.run("mkfs.ext4", "-q", "-b", "4096", "-O", "encrypt", "-E", atOnce, image.toString());
    Files.createDirectory(mount);
    // Its loop device is released with it.
    tools.run("mount", "-o", "loop,nosuid,nodev,noexec", image.toString(), mount.toString());
    probe();
  }

  /** Encrypts a directory with a file, as {@link #encrypt} will. */
  private void probe() throws IOException, InterruptedException {
    encrypt(LocalKeys.random(DirectoryKeys.KEY_BYTES));
    Files.writeString(data().resolve(IN_EACH), "");
    Files.delete(data().resolve(IN_EACH));
    Files.delete(data());
    lock();
  }

  /** Returns the place of its files that are not encrypted. */
  Path directory() {
    return mount;
  }

  /** Returns the directory, once it is there. */
  Path data() {
    return mount.resolve("data");
  }

  /** Makes the directory, encrypted by a key that it leaves in place. */
  void encrypt(byte[] key) throws IOException {
    identifier = DirectoryKeys.add(mount, key);
    Files.createDirectory(
        data(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    DirectoryKeys.encrypt(data(), identifier);
  }

  /** Makes the directory readable. */
  void unlock(byte[] key) throws IOException {
    identifier = DirectoryKeys.add(mount, key);
    if (isLocked()) {
      throw new IOException("%s is not readable with its key".formatted(data()));
    }
  }

  /** Takes the key away; nothing uses the directory. */
  void lock() throws IOException, InterruptedException {
    if (identifier == null) {
      return;
    }
    long began = System.nanoTime();
    while (!DirectoryKeys.remove(mount, identifier)) {
      if (System.nanoTime() - began > FREE_WITHIN.toNanos()) {
        throw new IOException("%s is still in use and keeps its key".formatted(data()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    identifier = null;
    if (!isLocked()) {
      throw new IOException("%s is readable without its key".formatted(data()));
    }
  }

  boolean isLocked() {
    return !Files.exists(data().resolve(IN_EACH));
  }

  @Override
  public void close() throws IOException {
    Tools.finish(this::unmount);
    Files.deleteIfExists(mount);
    Files.deleteIfExists(image);
  }

  /** A server that was killed may need a moment to end. */
  private void unmount() throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (isMounted()) {
      try {
        tools.run("umount", mount.toString());
      } catch (IOException e) {
        if (System.nanoTime() - began > FREE_WITHIN.toNanos()) {
          throw e;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  private boolean isMounted() throws IOException {
    List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
    // Spaces and the like are octal there.
    String place = mount.toString().replace("\\", "\\134").replace(" ", "\\040");
    return mounts.stream().anyMatch(line -> line.split(" ", -1)[4].equals(place));
  }
}
