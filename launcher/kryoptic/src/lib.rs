//! Kryoptic as a PKCS#11 module. Keywell needs no other entry point.

use kryoptic_lib::fns::general::fn_get_function_list;
use kryoptic_lib::pkcs11::{CK_FUNCTION_LIST_PTR_PTR, CK_RV};

#[no_mangle]
pub extern "C" fn C_GetFunctionList(list: CK_FUNCTION_LIST_PTR_PTR) -> CK_RV {
    fn_get_function_list(list)
}
