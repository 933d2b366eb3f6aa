@NullMarked
package org.keywell.service.launch;

import org.jspecify.annotations.NullMarked;
