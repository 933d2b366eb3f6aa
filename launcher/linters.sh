# shellcheck shell=bash
# The linters for certificates, pkilint and zlint, libxmlsec for signed XML, pyHanko for signed PDFs, Go's
# own judge of transparency logs and a witness for them, three implementations of KMIP, the OASIS test cases,
# and Qpid Proton for AMQP, below the data directory: packages of Python, Go and Rust. Their versions are
# pinned in linters-requirements.txt, in the go.mod of zlint, tlog-judge, litewitness and kmip-judge, and in
# kmip-rust's Cargo.lock.

# use_linters: afterwards KEYWELL_TEST_LINTERS/bin has lint_pkix_cert, lint_etsi_cert, zlint,
# tlog-judge, litewitness, kmip-judge, and a python with xmlsec, pyhanko, kmip and proton; kmip-cases has the
# OASIS test cases. Where cargo is there, kmip-rust is, too.
use_linters() {
  need_parts python3-venv
  make_once "$KEYWELL_HOME/linters" "Setting up pkilint, zlint, libxmlsec, pyHanko and what looks at logs and KMIP" \
    "the linters could not be set up; they need Python, and Go 1.21 or newer (https://go.dev/dl)" \
    install_linters "$ROOT/launcher/linters-requirements.txt" "$ROOT"/launcher/zlint/go.{mod,sum} "$ROOT"/launcher/tlog-judge/* "$ROOT"/launcher/litewitness/* "$ROOT"/launcher/kmip-judge/* "$ROOT"/launcher/kmip-rust/Cargo.* "$ROOT"/launcher/kmip-rust/src/*
  [ -x "$KEYWELL_HOME/linters/bin/kmip-rust" ] || say "kmip-rust is skipped: it needs cargo (https://rustup.rs)"
  export KEYWELL_TEST_LINTERS=$KEYWELL_HOME/linters
}

install_linters() {
  local directory=$1
  python3 -m venv "$directory" &&
    "$directory/bin/python" -m pip install --no-input --no-deps \
      -r "$ROOT/launcher/linters-requirements.txt" &&
    install_go_tool "$directory" zlint github.com/zmap/zlint/v3/cmd/zlint &&
    install_go_tool "$directory" tlog-judge . &&
    install_go_tool "$directory" litewitness filippo.io/torchwood/cmd/litewitness &&
    install_go_tool "$directory" kmip-judge . &&
    install_kmip_cases "$directory" &&
    install_kmip_rust "$directory" &&
    rm -rf "$directory/go" "$directory/go-build" "$directory/cargo"
}

# The OASIS test cases are in the module that kmip-judge uses.
install_kmip_cases() {
  local module
  module=$(cd "$ROOT/launcher/kmip-judge" &&
    GOMODCACHE=$1/go GOFLAGS="-modcacherw -mod=readonly" go list -m -f '{{.Dir}}' github.com/ovh/kmip-go) &&
    cp -R "$module/kmiptest/testdata" "$1/kmip-cases"
}

# Without cargo its test is skipped.
install_kmip_rust() {
  command -v cargo >/dev/null || return 0
  CARGO_HOME=$1/cargo CARGO_TARGET_DIR=$1/cargo/target \
    cargo install --quiet --locked --path "$ROOT/launcher/kmip-rust" --root "$1"
}

# install_go_tool DIRECTORY MODULE PACKAGE: MODULE is a folder here, which pins PACKAGE.
install_go_tool() {
  (cd "$ROOT/launcher/$2" &&
    GOBIN=$1/bin GOMODCACHE=$1/go GOCACHE=$1/go-build GOFLAGS="-modcacherw -mod=readonly" go install "$3")
}
