package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.deploy.Deployment.ROOT;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM has no parent, so only this keeps its version and modules those of the build. */
class BomTest {

  private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.+)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>(.+)</version>");

  private static String pom(String directory) throws IOException {
    return Files.readString(ROOT.resolve(directory).resolve("pom.xml"));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1)).toList();
  }

  private static String after(String tag, Pattern pattern, String pom) {
    Matcher matcher = pattern.matcher(pom);
    assertThat(matcher.find(Math.max(0, pom.indexOf(tag)))).as(tag).isTrue();
    return matcher.group(1);
  }

  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    assertThat(after("<groupId>", VERSION, pom("bom")))
        .isEqualTo(after("<groupId>", VERSION, pom(".")));
  }

  @Test
  void itHasTheModulesThatHaveJavadoc() throws IOException {
    List<String> libraries = new ArrayList<>();
    for (String module : all(MODULE, pom("."))) {
      String pom = pom(module);
      if (pom.contains("<maven.javadoc.skip>false</maven.javadoc.skip>")) {
        libraries.add(after("</parent>", ARTIFACT, pom));
      }
    }

    String bom = pom("bom");
    assertThat(all(ARTIFACT, bom.substring(bom.indexOf("<dependencyManagement>"))))
        .containsExactlyInAnyOrderElementsOf(libraries)
        .isNotEmpty();
  }
}
