@NullMarked
package org.keywell.service.caller;

import org.jspecify.annotations.NullMarked;
