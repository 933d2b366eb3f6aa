# shellcheck shell=bash
# The linters for certificates, pkilint and zlint, libxmlsec for signed XML, pyHanko for signed PDFs, Go's
# own judge of transparency logs and a witness for them, below the data directory: packages of Python and
# of Go. Their versions are pinned in linters-requirements.txt and in the go.mod of zlint, tlog-judge and
# litewitness.

# use_linters: afterwards KEYWELL_TEST_LINTERS/bin has lint_pkix_cert, lint_etsi_cert, zlint,
# tlog-judge, litewitness, and a python with xmlsec and pyhanko.
use_linters() {
  need_parts python3-venv
  make_once "$KEYWELL_HOME/linters" "Setting up pkilint, zlint, libxmlsec, pyHanko and what looks at logs" \
    "the linters could not be set up; they need Python, and Go 1.21 or newer (https://go.dev/dl)" \
    install_linters "$ROOT/launcher/linters-requirements.txt" "$ROOT"/launcher/zlint/go.{mod,sum} "$ROOT"/launcher/tlog-judge/* "$ROOT"/launcher/litewitness/*
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
    rm -rf "$directory/go" "$directory/go-build"
}

# install_go_tool DIRECTORY MODULE PACKAGE: MODULE is a folder here, which pins PACKAGE.
install_go_tool() {
  (cd "$ROOT/launcher/$2" &&
    GOBIN=$1/bin GOMODCACHE=$1/go GOCACHE=$1/go-build GOFLAGS="-modcacherw -mod=readonly" go install "$3")
}
