@NullMarked
package org.keywell.kmip.object;

import org.jspecify.annotations.NullMarked;
