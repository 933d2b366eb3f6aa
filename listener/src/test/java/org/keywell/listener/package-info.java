/** TLS connections, their bounds, and who may open them; knows no protocol above TLS. */
@NullMarked
package org.keywell.listener;

import org.jspecify.annotations.NullMarked;
