@NullMarked
package org.keywell.rest.http;

import org.jspecify.annotations.NullMarked;
