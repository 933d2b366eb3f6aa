@NullMarked
package org.keywell.service.http;

import org.jspecify.annotations.NullMarked;
