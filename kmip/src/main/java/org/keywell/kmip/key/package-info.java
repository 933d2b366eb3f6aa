/** The HSMs behind managed objects, and the key pairs that are ready for their owners. */
@NullMarked
package org.keywell.kmip.key;

import org.jspecify.annotations.NullMarked;
