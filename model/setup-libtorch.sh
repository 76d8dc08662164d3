#!/usr/bin/env bash
# Installs the libtorch that the `tch` crate is made for and links it as `.libtorch`, where
# `.cargo/config.toml` tells torch-sys to look. `make` calls this before every build; while the stamp
# `.setup` names the wanted installation there is nothing to do.
#
# Two flavours: `cpu` (0.5 GB to download) and `cuda` (2.7 GB; it runs without a GPU as well).
# RAJA_TORCH=cpu or RAJA_TORCH=cuda chooses; otherwise a machine with an NVIDIA driver gets `cuda`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

torch=torch==2.13.0 # what this release of torch-sys binds to: TORCH_VERSION in its build.rs
# The two libraries of CUDA that libtorch_cpu.so itself links, for its profiler.
profiler=(nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85)

die() {
    echo "setup: $*" >&2
    exit 1
}

# Installs the Debian packages that are lacking; without the means to, says which and how.
require_system_packages() {
    local missing=()
    command -v cc >/dev/null && command -v "${CXX:-c++}" >/dev/null || missing+=(g++)
    # Debian packs ensurepip, without which venv has no pip, apart from python3; others do not.
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    ((${#missing[@]})) || return 0

    local install="apt-get install -y --no-install-recommends ${missing[*]}"
    [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null ||
        die "system packages are missing; as root: apt-get update && $install"
    echo "setup: $install"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && $install; } >/dev/null || die "apt-get could not install ${missing[*]}"
    python3 -c 'import ensurepip, venv' || die "$(command -v python3) cannot make virtual environments"
}

# The wheel's libtorch.so pulls in libtorch_cuda.so and 2 GB behind it. The CPU flavour is a prefix of
# its own in which libtorch.so stands for libtorch_cpu.so; everything else is deleted. The prefix stays
# beside nvidia/ because libtorch_cpu.so looks there, relative to the folder it was loaded from.
prune_to_cpu() {
    cd "$1"
    mkdir -p torch_cpu/lib
    mv torch/include torch_cpu/
    mv torch/lib/{libtorch_cpu.so,libc10.so,libgomp.so.1} torch_cpu/lib/
    ln -s libtorch_cpu.so torch_cpu/lib/libtorch.so
    rm -r torch torch-*.dist-info torchgen functorch
    find nvidia -type f ! -name 'libcudart.so.*' ! -name 'libcupti.so.*' -delete
    find nvidia -type d -empty -delete
}

detected=cpu
[[ -e /dev/nvidiactl ]] && detected=cuda
flavour=${RAJA_TORCH:-$detected}
[[ $flavour == cpu || $flavour == cuda ]] ||
    die "RAJA_TORCH: expected cpu or cuda, found \"$flavour\""
wanted="$torch ${profiler[*]} $flavour"

exec 9<"$0"
flock 9 # a second `make` waits for the first one's installation instead of tearing it down
[[ -e .libtorch/lib/libtorch.so && $(cat .setup 2>/dev/null) == "$wanted" ]] && exit

command -v cargo >/dev/null || die "cargo is missing; Rust is installed from https://rustup.rs"
require_system_packages
echo "setup: installing $torch, flavour $flavour"
rm -rf .setup .libtorch .venv
python3 -m venv .venv
install=(.venv/bin/python -m pip --disable-pip-version-check --no-cache-dir install
    --quiet --no-compile --only-binary :all:)
site=$(echo .venv/lib/python3*/site-packages)
if [[ $flavour == cuda ]]; then
    "${install[@]}" "$torch" "${profiler[@]}"
    ln -s "$site/torch" .libtorch
else
    "${install[@]}" --no-deps "$torch" "${profiler[@]}"
    (prune_to_cpu "$site")
    ln -s "$site/torch_cpu" .libtorch
fi
# torch-sys looks at the name LIBTORCH alone, not at what it leads to: an earlier build of it is stale.
for profile in dev release; do
    cargo clean --quiet --profile "$profile" --package torch-sys
done
echo "$wanted" >.setup
