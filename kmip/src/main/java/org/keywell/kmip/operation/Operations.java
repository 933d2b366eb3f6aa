package org.keywell.kmip.operation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.store.StoreException;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.ObjectType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All operations on objects, by their names. */
public final class Operations {

  /** The kinds of objects that are kept, for {@code Query}. */
  public static final List<String> OBJECT_TYPES =
      Stream.of(ObjectType.values()).map(ObjectType::label).toList();

  private static final Logger log = LoggerFactory.getLogger(Operations.class);

  private static final LogPace PACE = new LogPace(System::nanoTime);

  private Operations() {}

  /** Returns each operation's handler. Only callers with the permission reach it, at their pace. */
  public static Map<String, OperationHandler<KmipCaller>> of(Custody custody) {
    ReadAttributes read = new ReadAttributes(custody);
    ChangeAttributes change = new ChangeAttributes(custody);
    Lifecycle lifecycle = new Lifecycle(custody);
    ReKey reKey = new ReKey(custody);
    Ciphers ciphers = new Ciphers(custody);
    Signatures signatures = new Signatures(custody);
    Macs macs = new Macs(custody);
    Keyless keyless = new Keyless(custody);
    Map<String, OperationHandler<KmipCaller>> all = new LinkedHashMap<>();
    all.put("Create", new Create(custody));
    all.put("CreateKeyPair", new CreateKeyPair(custody));
    all.put("Register", new Register(custody));
    all.put("ReKey", reKey::key);
    all.put("ReKeyKeyPair", reKey::pair);
    all.put("Locate", new Locate(custody));
    all.put("Check", read::check);
    all.put("Get", new Get(custody));
    all.put("GetAttributes", read::get);
    all.put("GetAttributeList", read::list);
    all.put("AddAttribute", change::add);
    all.put("ModifyAttribute", change::modify);
    all.put("SetAttribute", change::set);
    all.put("DeleteAttribute", change::delete);
    all.put("Activate", lifecycle::activate);
    all.put("Revoke", lifecycle::revoke);
    all.put("Destroy", lifecycle::destroy);
    all.put("Encrypt", ciphers::encrypt);
    all.put("Decrypt", ciphers::decrypt);
    all.put("Sign", signatures::sign);
    all.put("SignatureVerify", signatures::verify);
    all.put("MAC", macs::mac);
    all.put("MACVerify", macs::verify);
    all.put("RNGRetrieve", keyless::random);
    all.put("RNGSeed", keyless::seed);
    all.put("Hash", keyless::hash);
    all.replaceAll((name, handler) -> guarded(handler));
    return all;
  }

  private static OperationHandler<KmipCaller> guarded(OperationHandler<KmipCaller> handler) {
    return call -> {
      if (!call.caller().mayManage()) {
        throw new KmipException("PermissionDenied", "the caller lacks the role manage");
      }
      Optional<String> tooFast = call.caller().pace().get();
      if (tooFast.isPresent()) {
        throw new KmipException("ServerLimitExceeded", tooFast.get());
      }
      try {
        return handler.handle(call);
      } catch (StoreException e) {
        warn(e);
        throw new KmipException("GeneralFailure", "the database is not available", e);
      } catch (HsmException e) {
        throw failed(e);
      }
    };
  }

  /** What blames the data is the client's; the rest is ours, a stored key's damage included. */
  private static KmipException failed(HsmException e) {
    return switch (e.reason()) {
      case DATA_INVALID -> new KmipException("CryptographicFailure", "the HSM refused the data", e);
      case UNSUPPORTED ->
          new KmipException(
              "UnsupportedCryptographicParameters", "the HSM does not support this", e);
      case WRAPPED_KEY_INVALID,
          UNAVAILABLE,
          LOGIN_REFUSED,
          SESSION_LOST,
          KEY_GONE,
          EXHAUSTED,
          FULL,
          NOT_BOOTSTRAPPED,
          INTERRUPTED,
          FAILED -> {
        warn(e);
        yield new KmipException("GeneralFailure", "the HSM failed", e);
      }
    };
  }

  private static void warn(RuntimeException failure) {
    long times = PACE.due(1);
    if (times > 0) {
      log.warn("KMIP operations that failed: {}; the last: {}", times, failure.getMessage());
    }
  }
}
