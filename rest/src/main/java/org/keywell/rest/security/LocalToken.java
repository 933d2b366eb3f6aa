package org.keywell.rest.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;

/**
 * What a caller on this machine presents, so that only those who can read a file are let in. Stores
 * only its SHA-256. Immutable.
 */
public final class LocalToken {

  /** 256 bits. */
  private static final int RANDOM_BYTES = 32;

  /** For an operator's token; a generated one has 64. */
  private static final int LEAST_CHARACTERS = 32;

  private static final int MOST_CHARACTERS = 1024;

  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  private static final Set<PosixFilePermission> FOREIGN =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final byte[] sha256;

  LocalToken(String token) {
    this.sha256 = sha256(token);
  }

  /**
   * Returns the token in a file, which is created with a random one if it does not exist.
   *
   * @throws StartRefusedException if it can be neither read nor created, if others can read or
   *     write it, or if it does not contain a token
   */
  public static LocalToken in(Path file) {
    try {
      if (!Files.exists(file)) {
        make(file);
      }
      refuseForeignReaders(file);
      String token = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (token.length() < LEAST_CHARACTERS
          || token.length() > MOST_CHARACTERS
          || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new StartRefusedException(
            "keywell.security.local-token-file: %s has no token: %d to %d visible ASCII characters"
                .formatted(file, LEAST_CHARACTERS, MOST_CHARACTERS));
      }
      return new LocalToken(token);
    } catch (NoSuchFileException e) {
      throw new StartRefusedException(
          "keywell.security.local-token-file: " + e.getFile() + " does not exist", e);
    } catch (IOException e) {
      throw new StartRefusedException(
          "keywell.security.local-token-file: " + file + " can be neither read nor made", e);
    }
  }

  /** Writes atomically: a crash must not leave half a token. Temporary files are 0600. */
  private static void make(Path file) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new NoSuchFileException(String.valueOf(directory));
    }
    Path whole = Files.createTempFile(directory, ".token", "");
    Files.writeString(whole, HexFormat.of().formatHex(random) + "\n");
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void refuseForeignReaders(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null && view.readAttributes().permissions().stream().anyMatch(FOREIGN::contains)) {
      throw new StartRefusedException(
          "keywell.security.local-token-file: "
              + file
              + " can be read or written by its group or by others; make its mode 0600");
    }
  }

  /**
   * Whether an {@code Authorization} header contains the token, as a Bearer token (RFC 6750) or as
   * the password in Basic (RFC 7617), for which browsers prompt. Takes as long for a wrong token as
   * for the right one.
   */
  boolean isIn(@Nullable String authorization) {
    if (authorization == null) {
      return false;
    }
    if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return is(authorization.substring(BEARER.length()).strip());
    }
    if (authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      String credentials = decoded(authorization.substring(BASIC.length()).strip());
      return is(credentials.substring(credentials.indexOf(':') + 1));
    }
    return false;
  }

  private boolean is(String shown) {
    return MessageDigest.isEqual(sha256, sha256(shown));
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
