@NullMarked
package org.keywell.service.keypool;

import org.jspecify.annotations.NullMarked;
