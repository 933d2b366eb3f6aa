package org.keywell.loadgen.speed;

import java.io.IOException;
import java.util.Optional;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Requests of KMIP 1.4 with one operation, and their responses. */
final class KmipMessage {
  private static final Item SUCCESS = Tag.named("ResultStatus").item("Success");

  private KmipMessage() {}

  static byte[] request(String operation, Item... payload) {
    return Messages.request(ProtocolVersion.V1_4, operation, payload);
  }

  /**
   * Returns normally if the operation has succeeded.
   *
   * @throws IOException if it has not; the message has the server's reason
   */
  static void requireSuccess(Item response) throws IOException {
    if (!Messages.find(response, "ResultStatus").equals(Optional.of(SUCCESS.value()))) {
      throw new IOException(
          "the operation failed: "
              + Messages.find(response, "ResultMessage")
                  .map(text -> text instanceof Value.Text(String said) ? said : text.toString())
                  .orElse("the response says no more"));
    }
  }

  /** Returns the identifier under this tag. */
  static String id(Item response, String tag) throws IOException {
    if (Messages.find(response, tag).orElse(null) instanceof Value.Text(String id)
        && !id.isEmpty()) {
      return id;
    }
    throw new IOException("the response has no " + tag);
  }

  static Item id(String id) {
    return Messages.text("UniqueIdentifier", id);
  }
}
