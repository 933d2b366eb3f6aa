@NullMarked
package org.keywell.examples.pdfsigning;

import org.jspecify.annotations.NullMarked;
