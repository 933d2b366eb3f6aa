package org.keywell.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.keywell.testkit.Sql;

/** Rows of EC P-256 keys that somebody kept from the store, to insert them after their use. */
final class BroughtBackKeys {

  private static final HexFormat HEX = HexFormat.of();

  /** X and Y end the encoded key. */
  private static final int POINT_OCTETS = 64;

  private final Sql sql;
  private final List<Row> rows;

  private record Row(String wrappingKeyId, byte[] publicKey, String blob) {

    static Row parse(String text) {
      String[] parts = text.split("\\|", -1);
      return new Row(parts[0], HEX.parseHex(parts[1]), parts[2]);
    }
  }

  private BroughtBackKeys(Sql sql, List<Row> rows) {
    this.sql = sql;
    this.rows = rows;
  }

  /** Those that are to be used next. */
  static BroughtBackKeys stillStored(Sql sql, int most) throws SQLException {
    List<String> texts =
        sql.texts(
            """
            SELECT format('%%s|%%s|%%s', wrapping_key_id, encode(public_key, 'hex'),
              encode(wrapped_private_key, 'hex')) FROM pool_key
            WHERE key_spec = 'EC-P256' ORDER BY id LIMIT %d
            """
                .formatted(most));
    assertThat(texts).isNotEmpty();
    return new BroughtBackKeys(sql, texts.stream().map(Row::parse).toList());
  }

  /** How many rows of these keys the store has, whatever they say of the public key. */
  long stored() throws SQLException {
    long stored = 0;
    for (Row row : rows) {
      stored +=
          sql.count(
              "SELECT count(*) FROM pool_key WHERE wrapped_private_key = '\\x" + row.blob() + "'");
    }
    return stored;
  }

  /** Inserts each in every encoding, by the rights of the table's owner. */
  void insert() throws SQLException {
    sql.update("ALTER TABLE pool_key DROP CONSTRAINT pool_key_one_encoding");
    for (Row row : rows) {
      for (byte[] publicKey : encodings(row.publicKey())) {
        sql.update(
            """
            INSERT INTO pool_key
              (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
            VALUES ('EC-P256', '%s', 'AES-KWP', '\\x%s', '\\x%s') ON CONFLICT DO NOTHING
            """
                .formatted(row.wrappingKeyId(), HEX.formatHex(publicKey), row.blob()));
      }
    }
  }

  /**
   * As it is; with a pad bit, which a lax decoder skips; of indefinite length; with an octet more.
   */
  private static List<byte[]> encodings(byte[] der) {
    byte[] padded = der.clone();
    padded[25] = 1;
    byte[] indefinite = Arrays.copyOf(der, der.length + 2);
    indefinite[1] = (byte) 0x80;
    return List.of(der, padded, indefinite, Arrays.copyOf(der, der.length + 1));
  }

  /** Of all certificates on record, each has a point of its own, however it is written. */
  static void assertNoPointSignedTwice(Sql sql) throws SQLException, CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Set<String> points = new HashSet<>();
    List<byte[]> certificates =
        sql.bytes("SELECT certificate FROM sign_request WHERE status = 'signed'");
    for (byte[] certificate : certificates) {
      byte[] key =
          factory
              .generateCertificate(new ByteArrayInputStream(certificate))
              .getPublicKey()
              .getEncoded();
      points.add(HEX.formatHex(key, key.length - POINT_OCTETS, key.length));
    }
    assertThat(points.size()).as("distinct keys").isEqualTo(certificates.size());
  }
}
