@NullMarked
package org.keywell.signing.caller;

import org.jspecify.annotations.NullMarked;
