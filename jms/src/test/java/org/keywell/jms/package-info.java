@NullMarked
package org.keywell.jms;

import org.jspecify.annotations.NullMarked;
