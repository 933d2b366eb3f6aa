@NullMarked
package org.keywell.testkit;

import org.jspecify.annotations.NullMarked;
