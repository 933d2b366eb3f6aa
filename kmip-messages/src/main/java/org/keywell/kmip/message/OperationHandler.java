package org.keywell.kmip.message;

import java.util.List;
import org.keywell.kmip.ttlv.Item;

/**
 * Does an operation. Called by many threads at once.
 *
 * @param <C> a caller, as the door has resolved it
 */
public interface OperationHandler<C> {

  /**
   * Does the operation.
   *
   * @return the fields of the response's payload, in the specification's order
   * @throws KmipException if it refuses or fails
   */
  List<Item> handle(OperationCall<C> call);
}
