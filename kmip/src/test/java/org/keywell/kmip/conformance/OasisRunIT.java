package org.keywell.kmip.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.operation.ExportPolicy;
import org.keywell.kmip.operation.KeyManager;
import org.keywell.kmip.operation.KmipCaller;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;
import org.w3c.dom.Element;

/**
 * The OASIS test cases against a key manager. A case passes by status if each of its operations
 * ends as the case says, and in full if each response has all that the case says it has.
 */
@Tag("lint")
final class OasisRunIT {

  /** Cases that pass by status, and in full; docs/KMIP.md has them, too. */
  private static final Map<String, List<Integer>> LEAST =
      Map.of(
          "v1.0", List.of(38, 13),
          "v1.1", List.of(38, 13),
          "v1.2", List.of(32, 22),
          "v1.3", List.of(59, 27),
          "v1.4", List.of(102, 62));

  private final TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
  private KeyManager manager;
  private RequestProcessor<KmipCaller> processor;

  @BeforeEach
  void start() {
    manager = new KeyManager(InstantSource.fixed(CaseFile.NOW));
    processor = manager.processor(new ExportPolicy(true, true));
  }

  @AfterEach
  void stop() {
    manager.close();
  }

  /** What became of a case. */
  private record Outcome(boolean status, boolean full, String first) {}

  @Test
  void casesPass() throws Exception {
    Map<String, int[]> counts = new TreeMap<>();
    List<String> failures = new ArrayList<>();
    for (CaseFile each : CaseFile.all(ForeignParts.cases())) {
      Outcome outcome = outcome(each);
      int[] ofVersion =
          counts.computeIfAbsent(each.name().substring(0, "v1.4".length()), version -> new int[3]);
      ofVersion[0]++;
      ofVersion[1] += outcome.status ? 1 : 0;
      ofVersion[2] += outcome.full ? 1 : 0;
      if (!outcome.full) {
        failures.add((outcome.status ? "" : "status ") + each.name() + ": " + outcome.first);
      }
    }
    failures.forEach(System.out::println);
    counts.forEach((version, of) ->
        System.out.printf(
            "kmip %s: %d cases, %d pass by status, %d in full%n", version, of[0], of[1], of[2]));
    LEAST.forEach((version, least) ->
        assertThat(counts.get(version))
            .as(version)
            .satisfies(of -> {
              assertThat(of[1]).isGreaterThanOrEqualTo(least.getFirst());
              assertThat(of[2]).isGreaterThanOrEqualTo(least.getLast());
            }));
  }

  /** A case that has what our tables do not know fails. */
  private Outcome outcome(CaseFile each) {
    try {
      return run(each);
    } catch (RuntimeException e) {
      return new Outcome(false, false, String.valueOf(e.getMessage()));
    }
  }

  private Outcome run(CaseFile each) {
    // Some go on with what others of their family have left.
    String family = each.name().replaceFirst("/(SASED|TL)-.*", "/$1");
    KmipCaller caller = new KmipCaller(family, true, true);
    Map<String, String> bound = new HashMap<>();
    boolean status = true;
    String first = "";
    Item response = null;
    for (Element message : each.messages()) {
      if (message.getTagName().equals("RequestMessage")) {
        fill(message, bound);
        response =
            reader.read(
                processor.process(TtlvWriter.write(XmlForm.item(message)), caller).message());
      } else if (response != null) {
        Comparison comparison = new Comparison(bound);
        comparison.compare(message, response);
        status &= comparison.status;
        if (first.isEmpty() && comparison.first != null) {
          first = comparison.first + message(response);
        }
      }
    }
    return new Outcome(status, first.isEmpty(), first);
  }

  /** Returns what the server said of a failure. */
  private static String message(Item item) {
    if (item.value() instanceof Value.Structure(List<Item> items)) {
      return items.stream().map(OasisRunIT::message).collect(Collectors.joining());
    }
    return item.tag() == org.keywell.kmip.table.Tag.named("ResultMessage").number()
        ? " (" + ((Value.Text) item.value()).value() + ")"
        : "";
  }

  private static void fill(Element element, Map<String, String> bound) {
    String variable = element.getAttribute(CaseFile.VARIABLE);
    if (bound.containsKey(variable)) {
      element.setAttribute("value", bound.get(variable));
    }
    CaseFile.children(element).forEach(each -> fill(each, bound));
  }

  /** Compares what is expected with what came. */
  private static final class Comparison {
    private final Map<String, String> bound;
    private boolean status = true;
    private @Nullable String first;

    Comparison(Map<String, String> bound) {
      this.bound = bound;
    }

    void compare(Element expected, Item actual) {
      List<Item> left = new ArrayList<>(((Value.Structure) actual.value()).items());
      for (Element child : CaseFile.children(expected)) {
        if (child.getTagName().equals("TimeStamp")) {
          continue;
        }
        compareChild(child, left);
      }
    }

    private void compareChild(Element child, List<Item> left) {
      List<Item> same =
          left.stream()
              .filter(
                  item -> org.keywell.kmip.table.Tag.nameOf(item.tag()).equals(child.getTagName()))
              .toList();
      if (same.isEmpty()) {
        differs(child, "missing " + words(child));
        return;
      }
      String variable = child.getAttribute(CaseFile.VARIABLE);
      if (!variable.isEmpty() && !variable.startsWith("$NOW")) {
        left.remove(same.getFirst());
        String text = XmlForm.words(same.getFirst(), child).replaceFirst("[^=]*=", "");
        String before = bound.put(variable, text);
        if (before != null && !before.equals(text)) {
          differs(child, "another " + variable);
        }
        return;
      }
      if (child.getTagName().equals("ResultMessage")) {
        return;
      }
      if (child.getAttribute("type").isEmpty()) {
        Item best = best(child, same);
        if (best == null || !(best.value() instanceof Value.Structure)) {
          differs(child, "missing " + words(child));
          return;
        }
        left.remove(best);
        compare(child, best);
        return;
      }
      Item wanted = XmlForm.item(child);
      if (!left.remove(wanted)) {
        differs(
            child, "expected " + words(child) + ", got " + XmlForm.words(same.getFirst(), child));
      }
    }

    /** Attributes come in any order: the one of the same name. */
    private static @Nullable Item best(Element child, List<Item> same) {
      if (child.getTagName().equals("Attribute")) {
        Item name = XmlForm.item(CaseFile.children(child).getFirst());
        for (Item item : same) {
          if (((Value.Structure) item.value()).items().contains(name)) {
            return item;
          }
        }
        return null;
      }
      return same.getFirst();
    }

    private static String words(Element child) {
      return child.getTagName().equals("Attribute")
          ? XmlForm.words(child)
          : child.getTagName() + "=" + child.getAttribute("value");
    }

    private void differs(Element child, String what) {
      if (child.getTagName().equals("ResultStatus")
          || child.getTagName().equals("ResultReason")
          || child.getTagName().equals("BatchItem")) {
        status = false;
      }
      if (first == null) {
        first = what;
      }
    }
  }
}
