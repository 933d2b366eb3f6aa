@NullMarked
package org.keywell.service;

import org.jspecify.annotations.NullMarked;
