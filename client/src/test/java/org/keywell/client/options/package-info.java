@NullMarked
package org.keywell.client.options;

import org.jspecify.annotations.NullMarked;
