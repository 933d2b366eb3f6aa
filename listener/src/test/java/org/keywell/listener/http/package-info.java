/** Without connections. */
@NullMarked
package org.keywell.listener.http;

import org.jspecify.annotations.NullMarked;
