@NullMarked
package org.keywell.kmip.ttlv;

import org.jspecify.annotations.NullMarked;
