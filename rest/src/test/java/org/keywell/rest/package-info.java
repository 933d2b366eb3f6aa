@NullMarked
package org.keywell.rest;

import org.jspecify.annotations.NullMarked;
