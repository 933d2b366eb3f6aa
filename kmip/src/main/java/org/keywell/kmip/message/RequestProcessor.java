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
  private final ResponseWriter responses;
  private final OperationRegistry<C> operations;
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
    this.responses = new ResponseWriter(clock);
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
      return new Answer(responses.write(version, perform(request, caller)), false);
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
    return new Answer(responses.write(version, one), last);
  }

  private List<ResponseItem> perform(Request request, C caller) {
    Request.Header header = request.header();
    BatchState batch = new BatchState();
    List<ResponseItem> answers = new ArrayList<>();
    long left = room(header) - responses.emptySize(header.version());
    for (Request.BatchItem each : request.items()) {
      ResponseItem answer = perform(new OperationCall<>(caller, header, each, batch), left);
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

  private ResponseItem perform(OperationCall<C> call, long left) {
    long began = System.nanoTime();
    Request.BatchItem item = call.item();
    String operation = OperationRegistry.name(item.operation());
    KmipException failure;
    try {
      OperationHandler<C> handler = operations.handler(item.operation(), call.version());
      ResponseItem answer = ResponseItem.success(item, handler.handle(call));
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
    return ResponseItem.failure(item, failure, call.version());
  }
}
