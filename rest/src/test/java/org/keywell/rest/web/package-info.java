@NullMarked
package org.keywell.rest.web;

import org.jspecify.annotations.NullMarked;
