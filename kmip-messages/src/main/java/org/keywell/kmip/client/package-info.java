/** Requests as clients make them, and what they look for in responses. */
@NullMarked
package org.keywell.kmip.client;

import org.jspecify.annotations.NullMarked;
