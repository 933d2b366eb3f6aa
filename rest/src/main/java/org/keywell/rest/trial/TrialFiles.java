package org.keywell.rest.trial;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.settings.KeywellProperties;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /trial-files/test_1k.html} and the like: files of a known size, with which {@code
 * ./keywell load tls} measures this service's TLS. Exists only if {@code keywell.trial-files} is
 * set, which is refused where others could reach the service.
 */
@Hidden
@RestController
@ConditionalOnProperty(TrialFiles.SETTING)
public final class TrialFiles {

  public static final String SETTING = "keywell.trial-files";

  /** The address of a file. */
  public static final String PATH = "/trial-files/{name}";

  private static final Pattern NAME = Pattern.compile("test_[0-9]{1,6}[km]\\.html");

  private final Path directory;

  public TrialFiles(KeywellProperties properties) {
    this.directory = Objects.requireNonNull(properties.trialFiles(), SETTING);
    LoggerFactory.getLogger(TrialFiles.class)
        .warn(
            "{} is set: everyone on this machine can fetch test files from {}", SETTING, directory);
  }

  @GetMapping(PATH)
  public void file(@PathVariable String name, HttpServletResponse response) throws IOException {
    Path file = directory.resolve(name);
    if (!NAME.matcher(name).matches() || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new ProblemException(ProblemType.NOT_FOUND, "there is no such test file");
    }
    response.setContentType(MediaType.TEXT_HTML_VALUE);
    response.setContentLengthLong(Files.size(file));
    Files.copy(file, response.getOutputStream());
  }
}
