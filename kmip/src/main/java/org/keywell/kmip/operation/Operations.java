package org.keywell.kmip.operation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.store.StoreException;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.store.LocateLimitException;
import org.keywell.kmip.store.ObjectNotFoundException;
import org.keywell.kmip.table.ResultReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All operations on objects, by their names. */
public final class Operations {

  /** The kinds of objects that are kept, for {@code Query}. */
  public static final List<String> OBJECT_TYPES =
      List.of(
          "Certificate", "SymmetricKey", "PublicKey", "PrivateKey", "SecretData", "OpaqueObject");

  private static final Logger log = LoggerFactory.getLogger(Operations.class);

  private static final LogPace PACE = new LogPace(System::nanoTime);

  private Operations() {}

  /** Returns each operation's handler. Only callers with the permission reach it. */
  public static Map<String, OperationHandler<KmipCaller>> of(Custody custody) {
    ReadAttributes read = new ReadAttributes(custody);
    ChangeAttributes change = new ChangeAttributes(custody);
    Lifecycle lifecycle = new Lifecycle(custody);
    ReKey reKey = new ReKey(custody);
    Ciphers ciphers = new Ciphers(custody);
    Signatures signatures = new Signatures(custody);
    Macs macs = new Macs(custody);
    Map<String, OperationHandler<KmipCaller>> all = new LinkedHashMap<>();
    all.put("Create", new Create(custody));
    all.put("CreateKeyPair", new CreateKeyPair(custody));
    all.put("Register", new Register(custody));
    all.put("ReKey", reKey::key);
    all.put("ReKeyKeyPair", reKey::pair);
    all.put("Locate", new Locate(custody));
    all.put("Check", new Check(custody));
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
    all.put("RNGRetrieve", new RngRetrieve(custody));
    all.put("RNGSeed", new RngSeed());
    all.put("Hash", new Hash());
    all.replaceAll((name, handler) -> guarded(handler));
    return all;
  }

  private static OperationHandler<KmipCaller> guarded(OperationHandler<KmipCaller> handler) {
    return call -> {
      if (!call.caller().mayManage()) {
        throw new KmipException(
            ResultReason.named("PermissionDenied"), "the caller lacks the role manage");
      }
      try {
        return handler.handle(call);
      } catch (ObjectNotFoundException e) {
        throw told(ResultReason.named("ObjectNotFound"), "object not found", e);
      } catch (LocateLimitException e) {
        throw told(ResultReason.named("ServerLimitExceeded"), String.valueOf(e.getMessage()), e);
      } catch (StoreException e) {
        warn(e);
        throw told(ResultReason.named("GeneralFailure"), "the database is not available", e);
      } catch (HsmException e) {
        throw failed(e);
      }
    };
  }

  /** What blames the data or the key is the client's; the rest is for operators. */
  private static KmipException failed(HsmException e) {
    return switch (e.reason()) {
      case WRAPPED_KEY_INVALID, DATA_INVALID ->
          told(ResultReason.named("CryptographicFailure"), "the HSM refused data or key", e);
      case UNSUPPORTED ->
          told(Parameters.unsupported("").reason(), "the HSM does not support this", e);
      default -> {
        warn(e);
        yield told(ResultReason.named("GeneralFailure"), "the HSM is not available", e);
      }
    };
  }

  private static void warn(RuntimeException failure) {
    long times = PACE.due(1);
    if (times > 0) {
      log.warn("KMIP operations that failed: {}; the last: {}", times, failure.getMessage());
    }
  }

  private static KmipException told(ResultReason reason, String what, RuntimeException cause) {
    KmipException told = new KmipException(reason, what);
    told.initCause(cause);
    return told;
  }
}
