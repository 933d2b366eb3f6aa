@NullMarked
package org.keywell.kmip.operation;

import org.jspecify.annotations.NullMarked;
