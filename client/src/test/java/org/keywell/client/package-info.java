@NullMarked
package org.keywell.client;

import org.jspecify.annotations.NullMarked;
