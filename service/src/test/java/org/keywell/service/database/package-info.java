@NullMarked
package org.keywell.service.database;

import org.jspecify.annotations.NullMarked;
