@org.jspecify.annotations.NullUnmarked
package org.keywell.identity.saml;
