package org.keywell.signing.ca;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.InvalidProfileException;
import org.keywell.ca.ProfileSettings;
import org.keywell.settings.CaProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.StrictYaml;

/**
 * The service's certificate profiles: {@code standard}, from {@code keywell.ca.profile.*}; {@code
 * short-lived}, built in; and those in {@code keywell.ca.profiles-directory}, which may replace
 * these two.
 */
public final class ProfileFiles {

  /** The name of the built-in profile. */
  static final String SHORT_LIVED = "short-lived";

  private static final String KEY = "profile";
  private static final String SUFFIX = ".yaml";
  private static final int MOST = 32;

  private final CertificateProfiles profiles;
  private final SortedMap<String, byte[]> contents;

  private ProfileFiles(CertificateProfiles profiles, SortedMap<String, byte[]> contents) {
    this.profiles = profiles;
    this.contents = contents;
  }

  /**
   * Reads and checks all.
   *
   * @throws StartRefusedException naming the file and its invalid key
   */
  static ProfileFiles read(CaProperties properties) {
    Map<String, CertificateProfile> profiles = new TreeMap<>();
    profiles.put(CertificateProfiles.STANDARD, properties.standardProfile());
    profiles.put(SHORT_LIVED, builtIn());
    SortedMap<String, byte[]> contents = new TreeMap<>();
    Path directory = properties.profilesDirectory();
    if (directory != null) {
      for (Path file : files(directory)) {
        byte[] content = StrictYaml.content(file);
        profiles.put(name(file), read(file, content, properties));
        contents.put(file.getFileName().toString(), content);
      }
    }
    return new ProfileFiles(checked(profiles, properties), contents);
  }

  private static CertificateProfiles checked(
      Map<String, CertificateProfile> profiles, CaProperties properties) {
    try {
      return new CertificateProfiles(profiles, properties.crl().base(), properties.ocsp().base());
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(e.getMessage() + ": keywell.ca.crl.uri is not set", e);
    }
  }

  CertificateProfiles profiles() {
    return profiles;
  }

  /** Returns what the operator's files contain, by their names. */
  public SortedMap<String, byte[]> contents() {
    return contents;
  }

  private static CertificateProfile builtIn() {
    String resource = SHORT_LIVED + SUFFIX;
    try (InputStream in = ProfileFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing in the service's jar");
      }
      return profile(
          resource, StrictYaml.bind(resource, in.readAllBytes(), KEY, CaProperties.Profile.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Omits hidden files: Kubernetes adds some to directories that it mounts. */
  private static List<Path> files(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      List<Path> files =
          entries
              .filter(entry -> !entry.getFileName().toString().startsWith("."))
              .sorted()
              .toList();
      if (files.size() > MOST) {
        throw new StartRefusedException(
            "keywell.ca.profiles-directory has more than " + MOST + " files: " + directory);
      }
      return files;
    } catch (IOException e) {
      throw new StartRefusedException("keywell.ca.profiles-directory cannot be read: " + e, e);
    }
  }

  private static String name(Path file) {
    String fileName = file.getFileName().toString();
    String name =
        fileName.endsWith(SUFFIX)
            ? fileName.substring(0, fileName.length() - SUFFIX.length())
            : fileName;
    if (!fileName.endsWith(SUFFIX) || !CertificateProfiles.isName(name)) {
      throw new StartRefusedException(
          file + ": profiles are in files NAME.yaml, with 1 to 63 of a-z 0-9 . _ - as NAME");
    }
    return name;
  }

  private static CertificateProfile read(Path file, byte[] content, CaProperties properties) {
    if (name(file).equals(CertificateProfiles.STANDARD)
        && !properties.profile().settings().equals(ProfileSettings.defaults())) {
      throw new StartRefusedException(
          file
              + " describes the profile standard, and so does keywell.ca.profile.*: leave one out");
    }
    return profile(
        file.toString(),
        StrictYaml.bind(file.toString(), content, KEY, CaProperties.Profile.class));
  }

  private static CertificateProfile profile(String file, CaProperties.Profile profile) {
    try {
      return CertificateProfile.of(profile.settings());
    } catch (InvalidProfileException e) {
      String key = e.setting().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      throw new StartRefusedException(file + ": " + KEY + "." + key + " " + e.problem(), e);
    }
  }
}
