package org.keywell.kmip.message;

import java.util.List;
import org.keywell.kmip.table.Enumerations;

/**
 * What {@code Query} tells of the server.
 *
 * @param vendor its vendor identification
 * @param version its own version
 * @param objectTypes the kinds of objects that it manages, of the enumeration {@code ObjectType}
 */
public record ServerDescription(String vendor, String version, List<String> objectTypes) {

  public ServerDescription {
    objectTypes = List.copyOf(objectTypes);
    objectTypes.forEach(each -> Enumerations.named("ObjectType", each));
  }
}
