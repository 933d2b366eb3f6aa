@NullMarked
package org.keywell.signing.database;

import org.jspecify.annotations.NullMarked;
