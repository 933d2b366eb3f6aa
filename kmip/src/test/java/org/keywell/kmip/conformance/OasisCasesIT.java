package org.keywell.kmip.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;
import org.w3c.dom.Element;

/** The OASIS test cases for KMIP 1.0 to 1.4, as kmip-go's module has them. */
@Tag("lint")
final class OasisCasesIT {

  private static final int CASES = 410;

  private final TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);

  @TempDir private Path directory;

  @Test
  void everyMessageGoesToBytesAndBack() throws Exception {
    List<CaseFile> cases = CaseFile.all(ForeignParts.cases());
    List<String> failures = new ArrayList<>();
    int messages = 0;
    for (CaseFile each : cases) {
      for (Element message : each.messages()) {
        messages++;
        try {
          Item item = XmlForm.item(message);
          Item read = reader.read(TtlvWriter.write(item));
          assertThat(read).isEqualTo(item);
          assertThat(XmlForm.words(read, message)).isEqualTo(XmlForm.words(message));
        } catch (RuntimeException | AssertionError e) {
          failures.add(each.name() + ": " + e);
        }
      }
    }
    System.out.printf("kmip: %d cases, %d messages%n", cases.size(), messages);
    assertThat(failures).isEmpty();
    assertThat(cases).hasSize(CASES);
    assertThat(messages).isGreaterThan(2 * CASES);
  }

  /**
   * Each request reaches its operations, which this processor does not offer, except those with a
   * critical extension or with Undo.
   */
  @Test
  void everyRequestIsUnderstood() throws Exception {
    RequestProcessor<String> processor =
        new RequestProcessor<>(
            TtlvLimits.STANDARD,
            MessageLimits.STANDARD,
            new OperationRegistry<>(Map.of(), new ServerDescription("v", "1", List.of())),
            InstantSource.system(),
            unexpected -> {
              throw new AssertionError(unexpected);
            },
            AnswerListener.NONE);
    Map<String, Integer> refused = new TreeMap<>();
    for (CaseFile each : CaseFile.all(ForeignParts.cases())) {
      for (Element message : each.messages()) {
        if (message.getTagName().equals("RequestMessage")) {
          byte[] request = TtlvWriter.write(XmlForm.item(message));
          refusal(reader.read(processor.process(request, "caller").message()))
              .forEach(reason -> refused.merge(reason, 1, Integer::sum));
        }
      }
    }
    System.out.println("kmip: refused as a whole: " + refused);
    assertThat(refused.keySet())
        .containsExactlyInAnyOrder(
            "no message extension is understood", "operations of a batch cannot be undone");
  }

  /** Returns why a message was refused as a whole; empty if its operations are answered. */
  private static List<String> refusal(Item response) {
    List<String> messages = new ArrayList<>();
    boolean[] answered = new boolean[1];
    visit(
        response,
        item -> {
          answered[0] |= item.tag() == org.keywell.kmip.table.Tag.named("Operation").number();
          if (item.value() instanceof Value.Text(String text)) {
            messages.add(text);
          }
        });
    return answered[0] ? List.of() : messages;
  }

  private static void visit(Item item, Consumer<Item> visitor) {
    visitor.accept(item);
    if (item.value() instanceof Value.Structure(List<Item> items)) {
      items.forEach(each -> visit(each, visitor));
    }
  }

  /** kmip-go writes the same bytes, and reads ours. A few operations are unknown to it. */
  @Test
  void kmipGoWritesAndReadsTheSame() throws Exception {
    int number = 0;
    for (CaseFile each : CaseFile.all(ForeignParts.cases())) {
      for (Element message : each.messages()) {
        String name = each.name().replaceAll("[/.]", "_") + "_" + number++;
        Files.writeString(
            directory.resolve(name + ".xml"), "<KMIP>" + CaseFile.xml(message) + "</KMIP>");
        Files.write(directory.resolve(name + ".ttlv"), TtlvWriter.write(XmlForm.item(message)));
      }
    }

    List<String> said =
        ForeignParts.run(
            ForeignParts.judge("messages", directory.toString()), directory.resolve("said"));

    System.out.println("kmip: kmip-go: " + said.getLast());
    for (String line : said.subList(1, said.size() - 1)) {
      if (!line.contains("unknown to kmip-go")) {
        // It writes a reason for what is pending, too.
        assertThat(line).endsWith("encoded differently");
        Path xml = directory.resolve(line.replaceFirst(": .*", ""));
        assertThat(Files.readString(xml)).as(line).contains("\"OperationPending\"");
      }
    }
    int same = Integer.parseInt(said.getLast().replaceFirst(" .*", ""));
    assertThat(same).isGreaterThan(number * 98 / 100);
  }
}
