package org.keywell.signing.database;

/** How to reach a PostgreSQL server. */
public record DatabaseAccess(String url, String username, String password) {

  /** Omits the password, which may also be in the URL's parameters. */
  @Override
  public String toString() {
    return url.replaceFirst("\\?.*", "");
  }
}
