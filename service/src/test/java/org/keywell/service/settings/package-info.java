@NullMarked
package org.keywell.service.settings;

import org.jspecify.annotations.NullMarked;
