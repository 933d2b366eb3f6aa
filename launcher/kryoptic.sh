# shellcheck shell=bash
# Kryoptic, a PKCS#11 token with ML-DSA, and the openssl that it is linked with, below the data directory.
# Their sources come from crates.io, pinned by the lock file of launcher/kryoptic; libclang, which the build
# reads headers with, from PyPI.

LIBCLANG=libclang==18.1.1

# use_kryoptic: afterwards KEYWELL_TEST_KRYOPTIC and KEYWELL_TEST_OPENSSL_3_5 name them.
use_kryoptic() {
  local directory=$KEYWELL_HOME/kryoptic
  need_parts gcc libc6-dev make perl libsqlite3-dev python3-venv
  make_once "$directory" "Building OpenSSL 3.5 and Kryoptic" \
    "Kryoptic could not be built; it needs cargo (https://rustup.rs)" \
    install_kryoptic "$ROOT/launcher/kryoptic.sh" "$ROOT"/launcher/kryoptic/Cargo.* "$ROOT"/launcher/kryoptic/src/*
  export KEYWELL_TEST_KRYOPTIC=$directory/libkryoptic_pkcs11.so
  export KEYWELL_TEST_OPENSSL_3_5=$directory/openssl
}

install_kryoptic() {
  local directory=$1 clang
  python3 -m venv "$directory/venv" &&
    "$directory/venv/bin/python" -m pip install --no-input --no-deps "$LIBCLANG" &&
    clang=$(echo "$directory"/venv/lib/python3*/site-packages/clang/native) &&
    CARGO_HOME=$directory/cargo cargo fetch --locked --manifest-path "$ROOT/launcher/kryoptic/Cargo.toml" &&
    cp -R "$directory"/cargo/registry/src/*/openssl-src-*/openssl "$directory/source" &&
    (cd "$directory/source" &&
      ./Configure no-shared no-module no-legacy no-engine no-tests no-docs -fPIC &&
      make -j "$(getconf _NPROCESSORS_ONLN)" build_sw) &&
    CARGO_HOME=$directory/cargo CARGO_TARGET_DIR=$directory/cargo/target LIBCLANG_PATH=$clang \
      KRYOPTIC_OPENSSL_SOURCES=$directory/source \
      BINDGEN_EXTRA_CLANG_ARGS="-I$("$(c_compiler)" -print-file-name=include)" \
      cargo build --release --locked --manifest-path "$ROOT/launcher/kryoptic/Cargo.toml" &&
    mv "$directory/cargo/target/release/libkryoptic_pkcs11.so" "$directory/source/apps/openssl" "$directory" &&
    rm -rf "$directory/cargo" "$directory/source" "$directory/venv"
}
