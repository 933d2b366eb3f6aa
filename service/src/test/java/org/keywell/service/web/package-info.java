@NullMarked
package org.keywell.service.web;

import org.jspecify.annotations.NullMarked;
