@NullMarked
package org.keywell.signing.request;

import org.jspecify.annotations.NullMarked;
