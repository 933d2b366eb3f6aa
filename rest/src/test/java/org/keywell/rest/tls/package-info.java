@NullMarked
package org.keywell.rest.tls;

import org.jspecify.annotations.NullMarked;
