/**
 * Requests and responses: from bytes to operations, and back. A door hands the bytes of a request
 * to {@link org.keywell.kmip.message.RequestProcessor} and sends what it returns.
 */
@NullMarked
package org.keywell.kmip.message;

import org.jspecify.annotations.NullMarked;
