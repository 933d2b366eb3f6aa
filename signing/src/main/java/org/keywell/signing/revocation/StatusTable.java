package org.keywell.signing.revocation;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.ca.ocsp.CertificateStatus;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.signing.database.DatabaseException;

/** The status of each certificate on record. Thread-safe. */
final class StatusTable {

  /** By the index that the owner of the tables makes where requests are answered. */
  private static final String ISSUERS =
      """
      SELECT DISTINCT c.certificates[1] FROM sign_request s JOIN ca_chain c ON c.id = s.ca_chain_id
      WHERE s.certificate_serial = ?
      """;

  private final DataSource dataSource;

  StatusTable(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Returns the status of a certificate.
   *
   * @param issuer the CA key's identifier, in lower-case hexadecimal digits
   * @throws DatabaseException if the database fails
   */
  CertificateStatus of(String issuer, BigInteger serial) {
    try (Connection connection = dataSource.getConnection()) {
      Optional<Revocation> revocation = RevocationTable.find(connection, issuer, serial);
      if (revocation.isPresent()) {
        return new CertificateStatus.Revoked(revocation.get());
      }
      return isIssued(connection, issuer, serial)
          ? new CertificateStatus.Good()
          : new CertificateStatus.Unknown();
    } catch (SQLException e) {
      throw new DatabaseException("records cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isIssued(Connection connection, String issuer, BigInteger serial)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ISSUERS)) {
      statement.setString(1, serial.toString(16));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          if (keyIdentifier(rows.getBytes(1)).equals(issuer)) {
            return true;
          }
        }
        return false;
      }
    }
  }

  private static String keyIdentifier(byte[] certificate) {
    try {
      return HexFormat.of()
          .formatHex(
              CrlShard.issuer(
                  (X509Certificate)
                      CertificateFactory.getInstance("X.509")
                          .generateCertificate(new ByteArrayInputStream(certificate))));
    } catch (CertificateException e) {
      throw new IllegalStateException("a CA's certificate on record cannot be read", e);
    }
  }
}
