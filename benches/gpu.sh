#!/usr/bin/env bash
# Measures on a machine with NVIDIA GPUs what `make bench` cannot show on a processor: the rate of
# networks of 6x96 and 10x128 in bf16 against matrix products and the plain way, and how much of it
# self-play reaches. Builds with the CUDA flavour of libtorch first.
#
#   benches/gpu.sh [SECONDS]      a figure takes so long, 10 if left out
#
# The devices are those of RAJA_DEVICES, cuda:0,cuda:0 if that is not set: two threads take turns on the
# first GPU. The JSON of each measurement is left in benches/gpu/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
    echo "benches/gpu.sh: $*" >&2
    exit 3
}

seconds=${1:-10}
devices=${RAJA_DEVICES:-cuda:0,cuda:0}
[[ -e /dev/nvidiactl ]] || die "there is no NVIDIA driver (/dev/nvidiactl does not exist)"
RAJA_TORCH=cuda model/setup-libtorch.sh
# torch-sys does not notice that another libtorch is linked.
cargo clean --release --quiet -p torch-sys
cargo build --release --quiet
raja=${CARGO_TARGET_DIR:-target}/release/raja
results=benches/gpu
mkdir -p "$results"

"$raja" doctor
for game in cheskers mgc; do
    for net in 6x96 10x128; do
        "$raja" bench inference "$game" --net "$net" --device cuda --batches 64,256,512,1024,2048 \
            --seconds "$seconds" --json >"$results/inference-$game-$net.json"
        # Enough games that batches of 1024 states can form.
        "$raja" bench selfplay "$game" --net "$net" --device "$devices" --games 256 \
            --set run.precision=bf16 --set selfplay.search.inner_look_ahead=0 \
            --seconds "$seconds" --json >"$results/selfplay-$game-$net.json"
    done
done
python3 - "$results" <<'PYTHON'
import json, pathlib, sys

folder = pathlib.Path(sys.argv[1])
line = "{:<9} {:<7} {:>12} {:>9} {:>8} {:>12} {:>7} {:>9} {:>9}"
print(line.format("game", "network", "alone/s", "of GEMM", "x plain", "self-play/s", "ratio", "batch", "stall ms"))
for file in sorted(folder.glob("selfplay-*.json")):
    play = json.loads(file.read_text())
    alone = json.loads((folder / file.name.replace("selfplay", "inference")).read_text())
    engine = next(engine for engine in alone["engines"] if engine["chosen"])
    best = max(rate["positions_per_second"] for rate in engine["rates"])
    print(line.format(
        play["game"], play["network"], f"{best:.0f}", f"{engine['of_products']:.0%}",
        f"{engine['over_plain']:.1f}", f"{play['evaluations_per_second']:.0f}", f"{play['ratio']:.3f}",
        f"{play['batch']:.0f}", f"{play['longest_stall_ms']:.0f}",
    ))
PYTHON
