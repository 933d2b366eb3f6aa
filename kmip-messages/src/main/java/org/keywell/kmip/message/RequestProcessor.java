package org.keywell.kmip.message;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvException;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/**
 * Answers requests: every request gets a well-formed response, whatever its bytes are.
 *
 * <p>Thread-safe. The operations of a request are done by the calling thread, in their order.
 *
 * @param <C> a caller, as the door has resolved it
 */
public final class RequestProcessor<C> {

  private final TtlvReader encoding;
  private final RequestReader requests;
  private final OperationRegistry<C> operations;
  private final InstantSource clock;
  private final int mostBytes;
  private final Consumer<? super RuntimeException> unexpected;
  private final AnswerListener listener;

  /**
   * Creates a processor.
   *
   * @param unexpected is told of exceptions other than {@link KmipException}; must not throw
   */
  public RequestProcessor(
      TtlvLimits encoding,
      MessageLimits messages,
      OperationRegistry<C> operations,
      InstantSource clock,
      Consumer<? super RuntimeException> unexpected,
      AnswerListener listener) {
    this.encoding = new TtlvReader(encoding);
    this.requests = new RequestReader(messages);
    this.clock = clock;
    this.operations = operations;
    this.mostBytes = messages.responseBytes();
    this.unexpected = unexpected;
    this.listener = listener;
  }

  /** Does what a message asks for, and answers it. */
  public Answer process(byte[] message, C caller) {
    ProtocolVersion version = ProtocolVersion.V1_0;
    try {
      Item item = encoding.read(message);
      ProtocolVersion asked = RequestReader.version(item);
      version = asked.nearest();
      Request request = requests.read(item, asked);
      return new Answer(write(version, perform(request, caller)), false);
    } catch (TtlvException e) {
      String text = "malformed: " + e.reason();
      return refusal(new KmipException("CodecError", text), version, true);
    } catch (KmipException e) {
      return refusal(e, version, false);
    }
  }

  /**
   * Answers a message without doing what it asks for, in its version if it can be read.
   *
   * @param message null: it was not received
   * @return an answer after which the connection must be closed
   */
  public Answer refuse(byte @Nullable [] message, KmipException why) {
    ProtocolVersion version = ProtocolVersion.V1_0;
    if (message != null) {
      try {
        version = RequestReader.version(encoding.read(message)).nearest();
      } catch (TtlvException | KmipException e) {
        // It is refused all the same.
      }
    }
    return refusal(why, version, true);
  }

  private Answer refusal(KmipException why, ProtocolVersion version, boolean last) {
    listener.refused(why.reason());
    List<ResponseItem> one = List.of(ResponseItem.failure(null, why, version));
    return new Answer(write(version, one), last);
  }

  private List<ResponseItem> perform(Request request, C caller) {
    Request.Header header = request.header();
    BatchState batch = new BatchState();
    List<ResponseItem> answers = new ArrayList<>();
    long left = room(header) - TtlvWriter.size(message(header.version(), List.of()));
    for (Request.BatchItem each : request.items()) {
      ResponseItem answer = perform(each, caller, header, batch, left);
      answers.add(answer);
      left -= TtlvWriter.size(answer.item());
      if (answer.failed() && !header.continuesOnError()) {
        break;
      }
    }
    return answers;
  }

  private long room(Request.Header header) {
    Integer most = header.maximumResponseSize();
    return most == null ? mostBytes : Math.min(mostBytes, most);
  }

  private ResponseItem perform(
      Request.BatchItem item, C caller, Request.Header header, BatchState batch, long left) {
    long began = System.nanoTime();
    ProtocolVersion version = header.version();
    String operation = OperationRegistry.name(item.operation());
    KmipException failure;
    try {
      OperationHandler<C> handler = operations.handler(item.operation(), version);
      Fields fields = new Fields("RequestPayload", item.payload(), version);
      List<Item> payload = handler.handle(new OperationCall<>(caller, header, fields, batch));
      ResponseItem answer = ResponseItem.success(item, payload);
      if (TtlvWriter.size(answer.item()) > left) {
        throw new KmipException("ResponseTooLarge", "the response would be too large");
      }
      listener.answered(operation, null, System.nanoTime() - began);
      return answer;
    } catch (KmipException e) {
      failure = e;
    } catch (RuntimeException e) {
      unexpected.accept(e);
      failure = new KmipException("InternalServerError", "internal error");
    }
    listener.answered(operation, failure.reason(), System.nanoTime() - began);
    return ResponseItem.failure(item, failure, version);
  }

  private byte[] write(ProtocolVersion version, List<ResponseItem> batch) {
    return TtlvWriter.write(message(version, batch));
  }

  private Item message(ProtocolVersion version, List<ResponseItem> batch) {
    FieldsBuilder header =
        new FieldsBuilder()
            .add(VersionField.write(version))
            .add("TimeStamp", new Value.DateTime(clock.instant().getEpochSecond()))
            .integer("BatchCount", batch.size());
    return new FieldsBuilder()
        .structure("ResponseHeader", header)
        .addAll(batch.stream().map(ResponseItem::item).toList())
        .in("ResponseMessage");
  }
}
