@NullMarked
package org.keywell.kmip.table;

import org.jspecify.annotations.NullMarked;
