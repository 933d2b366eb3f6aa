@NullMarked
package org.keywell.kmip.conformance;

import org.jspecify.annotations.NullMarked;
