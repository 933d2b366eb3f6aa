@NullMarked
package org.keywell.service.tls;

import org.jspecify.annotations.NullMarked;
