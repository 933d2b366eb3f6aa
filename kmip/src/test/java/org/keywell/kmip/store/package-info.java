@NullMarked
package org.keywell.kmip.store;

import org.jspecify.annotations.NullMarked;
