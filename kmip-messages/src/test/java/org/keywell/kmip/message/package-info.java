@NullMarked
package org.keywell.kmip.message;

import org.jspecify.annotations.NullMarked;
