@NullMarked
package org.keywell.settings;

import org.jspecify.annotations.NullMarked;
