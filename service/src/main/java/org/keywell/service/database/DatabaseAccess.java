package org.keywell.service.database;

/** How to reach a PostgreSQL. */
public record DatabaseAccess(String url, String username, String password) {

  /** Without the password, which may be in the URL's parameters as well. */
  @Override
  public String toString() {
    return url.replaceFirst("\\?.*", "");
  }
}
