@NullMarked
package org.keywell.loadgen.service;

import org.jspecify.annotations.NullMarked;
