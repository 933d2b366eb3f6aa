package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class StaticPageTest {
  private static final String SMALL = "/org/keywell/loadgen/report/small.html";

  @Test
  void everythingIsInTheOneFile() {
    String page = StaticPage.of(SMALL, "A < B & C", "{\"text\": \"seen\"}");
    assertThat(page)
        .contains("<title>A &lt; B &amp; C</title>", "h1 { color: green; }", "Chart.js v4")
        .contains("default-src 'none'; script-src 'sha256-")
        .doesNotContain("{{", "src=", "href=", "unsafe");
  }

  @Test
  void theDocumentIsUnchangedAndCannotEndItsElement() throws Exception {
    String text = "</script><script>alert(1)</script><!-- $1 \\ {{policy}} {{title}} é";
    JsonMapper json = JsonMapper.shared();
    String page = StaticPage.of(SMALL, "t", json.writeValueAsString(new String[] {text}));
    Matcher data =
        Pattern.compile("<script type=\"application/json\" id=\"data\">([^<]*)</script>")
            .matcher(page);
    assertThat(data.find()).isTrue();
    assertThat(json.readTree(data.group(1)).get(0).asString()).isEqualTo(text);
  }

  @Test
  void thePolicyAllowsItsOwnScriptsAndStylesOnly() throws Exception {
    String page = StaticPage.of(SMALL, "t", "{}");
    Matcher element = Pattern.compile("(?s)<(script|style)>(.*?)</\\1>").matcher(page);
    int found = 0;
    while (element.find()) {
      found++;
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(element.group(2).getBytes(StandardCharsets.UTF_8));
      assertThat(page).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    }
    assertThat(found).isEqualTo(3);
    assertThat(page.split("'sha256-", -1)).hasSize(1 + found);
  }

  @Test
  void aMissingTemplateIsNamed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> StaticPage.of("/none.html", "t", "{}"))
        .withMessageContaining("/none.html");
  }
}
