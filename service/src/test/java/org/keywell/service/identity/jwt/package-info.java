@org.jspecify.annotations.NullMarked
package org.keywell.service.identity.jwt;
