package org.keywell.kmip.message;

import static org.keywell.kmip.client.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Operations that tell what they have done. */
final class StubOperations {

  final List<String> done = new ArrayList<>();
  final List<RuntimeException> unexpected = new ArrayList<>();

  /** What a listener was told. */
  final List<String> heard = new ArrayList<>();

  /** Returns a processor that offers all of them. */
  RequestProcessor<String> processor() {
    Map<String, OperationHandler<String>> handlers =
        Map.of(
            "Get", this::get,
            "Locate", this::locate,
            "Destroy", this::destroy,
            "Encrypt", this::explode,
            "SetAttribute", call -> List.of());
    return Samples.processor(new MessageLimits(4, 2048), handlers, unexpected, new Listener(heard));
  }

  /** Returns a processor that offers only what fails in no unexpected way. */
  RequestProcessor<String> benign() {
    return Samples.processor(MessageLimits.STANDARD, Map.of("Get", this::get), unexpected);
  }

  /** Repeats the name, or what an earlier operation has found. */
  private List<Item> get(OperationCall<String> call) {
    Fields fields = call.fields();
    var name = fields.optional("UniqueIdentifier", Value.Text.class);
    fields.end();
    String found = name == null ? String.valueOf(call.batch().idPlaceholder()) : name.value();
    done.add(call.caller() + " gets " + found);
    return List.of(text("UniqueIdentifier", found));
  }

  private List<Item> locate(OperationCall<String> call) {
    call.batch().setIdPlaceholder("found");
    return List.of();
  }

  private List<Item> destroy(OperationCall<String> call) {
    throw new KmipException("ObjectDestroyed", "it is destroyed");
  }

  private List<Item> explode(OperationCall<String> call) {
    throw new IllegalStateException("secret");
  }

  private record Listener(List<String> heard) implements AnswerListener {

    @Override
    public void answered(@Nullable String operation, @Nullable String failure, long nanos) {
      heard.add(operation + " " + failure + (nanos < 0 ? " before it began" : ""));
    }

    @Override
    public void refused(String reason) {
      heard.add("refused " + reason);
    }
  }

  static Item named(String name) {
    return text("UniqueIdentifier", name);
  }
}
