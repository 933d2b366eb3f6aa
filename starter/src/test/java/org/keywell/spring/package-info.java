@NullMarked
package org.keywell.spring;

import org.jspecify.annotations.NullMarked;
