# shellcheck shell=bash
# Spin on the model of a key's life, docs/model/key.pml: all promises with all guards, then each guard left
# out, where it must find the promise broken. docs/MODEL.md has the results.

MODEL_SECONDS=120 # for each run
MODEL_MEGABYTES=3000

# check_model: in a scratch directory. What Spin found stays in target/model.
check_model() {
  need_parts spin gcc libc6-dev
  local results=$ROOT/target/model
  rm -rf "$results"
  mkdir -p "$results"
  #                  run           promise finds       keys requests claims crashes cuts starts kind left-out
  model_run "$results" two-names         0 nothing         1 1 2 1 1 2 0 0
  model_run "$results" two-requests      0 nothing         1 2 2 1 0 3 0 0
  model_run "$results" two-keys          0 nothing         2 1 1 1 0 2 0 0
  model_run "$results" one-name          0 nothing         1 1 2 1 1 2 1 0
  model_run "$results" one-name-each     0 nothing         1 2 2 0 1 2 1 0
  model_run "$results" restored          0 nothing         1 1 2 1 0 3 3 0
  model_run "$results" no-delete         1 "a broken promise" 1 2 2 0 0 2 0 1
  model_run "$results" no-number         1 "a broken promise" 1 2 3 0 0 2 0 2
  model_run "$results" no-mark           1 "a broken promise" 1 1 2 0 0 2 2 3
  model_run "$results" no-wait           2 "a broken promise" 1 1 2 1 1 2 0 4
  model_run "$results" no-ledger         3 "a broken promise" 1 1 2 1 1 2 0 5
  model_run "$results" no-status         5 "a broken promise" 1 1 2 1 1 2 0 6
  model_run "$results" no-instance       6 "a broken promise" 1 1 2 1 1 2 0 7
  model_run "$results" no-lock           6 "a broken promise" 1 1 2 1 1 2 0 8
  model_run "$results" no-lock-at-start  6 "a broken promise" 1 2 2 0 1 2 1 9
  model_run "$results" no-correction     7 "a broken promise" 1 1 2 1 1 2 0 10
  model_run "$results" no-await          8 "a broken promise" 1 1 1 0 0 2 0 11
}

# model_run RESULTS NAME PROMISE EXPECTED KEYS REQUESTS CLAIMS CRASHES CUTS STARTS KIND LEFT_OUT
model_run() {
  local directory=$1/$2 expected=$4 found=nothing code=0
  mkdir -p "$directory"
  cp "$ROOT/docs/model/key.pml" "$directory"
  (
    cd "$directory"
    spin -a "-DONLY=$3" "-DKEYS=$5" "-DREQUESTS=$6" "-DCLAIMS=$7" "-DCRASHES=$8" "-DCUTS=$9" \
      "-DSTARTS=${10}" "-DKIND=${11}" "-DLEFT_OUT=${12}" key.pml
    "$(c_compiler)" -w -O1 -DSAFETY -DNOCLAIM -DNOFAIR "-DMEMLIM=$MODEL_MEGABYTES" -o pan pan.c
    timeout "$MODEL_SECONDS" ./pan -m1000000 >pan.out
  ) || code=$?
  [ "$code" -eq 0 ] || fail "the model's run $2 ended with $code; see $directory/pan.out"
  ! grep -q "^pan:1: assertion violated" "$directory/pan.out" || found="a broken promise"
  # Anything else that Spin complains of, such as an invalid end state or a search cut short, is no result.
  if [ "$found" = nothing ]; then
    if ! grep -q "errors: 0$" "$directory/pan.out" ||
      grep -qE "max search depth|out of memory|Search not completed" "$directory/pan.out"; then
      fail "the model's run $2 was not exhaustive, or ends in an invalid state; see $directory/pan.out"
    fi
  fi
  [ "$found" = "$expected" ] ||
    fail "the model's run $2 found $found instead of $expected; see $directory: spin -p -t key.pml"
  say "$2: $(sed -n 's/^ *\([0-9]*\) states, stored.*/\1 states/p' "$directory/pan.out"), $(
    sed -n 's/^pan: elapsed time \([0-9.]*\) seconds/\1 s/p' "$directory/pan.out"); found $found"
}
