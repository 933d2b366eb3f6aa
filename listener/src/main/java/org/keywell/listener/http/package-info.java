/** HTTP/1.1 on a listener's connections, as much of it as requests with a known length need. */
@NullMarked
package org.keywell.listener.http;

import org.jspecify.annotations.NullMarked;
