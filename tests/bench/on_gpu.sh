#!/usr/bin/env bash
# All that needs a GPU: the tests of tests/gpu and the measurements of gpu.py, from a bare checkout and without a network.
#
#     tests/bench/on_gpu.sh RESULTS [WHEELS]
#
# RESULTS is the folder for gpu.json and tests.txt. WHEELS is a folder of wheels of what the Python has not: pydantic,
# pydantic_core, annotated_types, typing_inspection, platformdirs and chardet are needed beside torch, numpy,
# safetensors, tiktoken, regex, psutil, pytest, pytest-timeout, pytest-xdist and hypothesis. GPTSTUDIO_TEXTS names the
# folder of the-verdict.txt; without it the losses of the book are not compared. PYTHON: another Python than python3.
set -u
cd "$(dirname "$0")/../.."
results=${1:?RESULTS is missing: name a folder}
python=${PYTHON:-python3}
mkdir -p "$results"
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
if [ -n "${2:-}" ]; then
    "$python" -m pip install -q --no-index --no-deps --no-compile --target "$packages" "$2"/*.whl || exit 1
fi
export PYTHONPATH="$packages:$PWD:$PWD/tests/bench" PYTHONUNBUFFERED=1
if ! "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2> /dev/null; then
    echo "No CUDA GPU is here, or this PyTorch was built without CUDA: nothing was tested or measured."
    exit 1
fi
"$python" -m pytest tests/gpu -n "${WORKERS:-4}" -p no:cacheprovider -o filterwarnings=default -rPfEs > "$results/tests.txt" 2>&1
grep -E "^(FAILED|ERROR|E  )" "$results/tests.txt"
"$python" tests/bench/gpu.py "$results/gpu.json" ${PARTS:-}
grep -E "^MEMORY" "$results/tests.txt"
grep -E "[0-9]+ (passed|failed|error)" "$results/tests.txt" | tail -1
count() { grep -Eo "[0-9]+ $1" "$results/tests.txt" | tail -1 | grep -Eo "^[0-9]+" || echo 0; }
echo "$(count passed) passed, $(count failed) failed"
