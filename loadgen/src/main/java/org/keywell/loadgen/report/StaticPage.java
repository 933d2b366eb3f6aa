package org.keywell.loadgen.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keywell.loadgen.text.Resource;
import org.webjars.WebJarVersionLocator;

/**
 * A single-file page that draws a JSON document. It opens from anywhere and fetches nothing: its
 * policy allows only the scripts and styles that it contains, by their hashes.
 *
 * <p>A template is HTML with these parts, each on a separate line:
 *
 * <ul>
 *   <li>{@code {{include FILE}}} is part of the template, by its path from the root of the class
 *       path
 *   <li>{@code {{policy}}} is in the head, before anything that it governs
 *   <li>{@code {{title}}} is the title, as text
 *   <li>{@code {{style FILE}}} and {@code {{script FILE}}} are resources, next to the template or,
 *       with a leading slash, from the root of the class path
 *   <li>{@code {{chart}}} is the plotting library
 *   <li>{@code {{data}}} is the document, in the element with the id {@code data}
 * </ul>
 */
public final class StaticPage {
  private static final String POLICY = "{{policy}}";
  private static final Pattern INCLUDE = Pattern.compile("\\{\\{include ([\\w./-]+)}}\n");
  private static final Pattern PART =
      Pattern.compile("\\{\\{(title|data|chart|style|script)(?: ([\\w./-]+))?}}");

  private final String folder;
  private final List<String> styles = new ArrayList<>();
  private final List<String> scripts = new ArrayList<>();

  private StaticPage(String folder) {
    this.folder = folder;
  }

  /**
   * Returns the page.
   *
   * @param template a resource's path from the class path's root, with a leading slash
   * @throws IllegalStateException if the template, or something that it names, is missing
   */
  public static String of(String template, String title, String json) {
    String text =
        INCLUDE
            .matcher(Resource.text(template))
            .replaceAll(part -> Matcher.quoteReplacement(Resource.text(part.group(1))));
    int policy = text.indexOf(POLICY);
    if (policy < 0) {
      throw new IllegalStateException(template + " has no " + POLICY);
    }
    StaticPage page = new StaticPage(template.substring(0, template.lastIndexOf('/') + 1));
    String above = page.filled(text.substring(0, policy), title, json);
    String below = page.filled(text.substring(policy + POLICY.length()), title, json);
    return above + page.policy() + below;
  }

  private String filled(String template, String title, String json) {
    return PART.matcher(template)
        .replaceAll(part -> Matcher.quoteReplacement(part(part, title, json)));
  }

  private String part(MatchResult part, String title, String json) {
    return switch (part.group(1)) {
      case "title" -> title.replace("&", "&amp;").replace("<", "&lt;");
      case "data" -> "<script type=\"application/json\" id=\"data\">" + inert(json) + "</script>";
      case "chart" ->
          script(
              Resource.text(
                  "/" + new WebJarVersionLocator().fullPath("chart.js", "dist/chart.umd.min.js")));
      case "script" -> script(Resource.text(path(part)));
      default -> {
        String style = Resource.text(path(part));
        styles.add(hash(style));
        yield "<style>" + style + "</style>";
      }
    };
  }

  /** In JSON, {@code <} occurs only in strings, where it can be escaped. */
  private static String inert(String json) {
    return json.replace("<", "\\u003c");
  }

  private String script(String script) {
    scripts.add(hash(script));
    return "<script>" + script + "</script>";
  }

  private String path(MatchResult part) {
    String file = String.valueOf(part.group(2));
    return file.startsWith("/") ? file : folder + file;
  }

  private String policy() {
    return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
        + " script-src %s; style-src %s; base-uri 'none'; form-action 'none'\">"
            .formatted(String.join(" ", scripts), String.join(" ", styles));
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
