# SPDX-License-Identifier: Apache-2.0
# Sourced by tests/run, proxy/quickstart: installs Debian packages that are missing.
# shellcheck shell=bash disable=SC2034

build_packages=(g++ cmake ninja-build pkg-config git libzmq3-dev cppzmq-dev
  libboost-program-options-dev nlohmann-json3-dev libspdlog-dev)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev python3 python3-pytest python3-yaml python3-zmq procps strace
  systemd  util-linux iproute2 man-db mandoc bsdextrautils)

build_packages+=(libboost-dev prometheus-cpp-dev)  # the admin server
page_packages=(chromium-headless-shell fonts-dejavu-core)

# One file of a package, without installing it (Debian's prometheus would start a server).
take_from_package() { # package, file in it, target
  local folder
  folder=$(mktemp -d)
  (cd "$folder" && apt-get -q download "$1" >/dev/null 2>&1 || { apt-get -q update && apt-get -q download "$1"; } >/dev/null) \
    && dpkg-deb -x "$folder"/*.deb "$folder/x" && cp "$folder/x/$2" "$3"
  local result=$?
  rm -rf "$folder"
  return "$result"
}

install_missing() {
  local missing=() package sudo=()
  for package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] \
      || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "missing packages, and no sudo: ${missing[*]}" >&2; return 1; }
    sudo=(sudo)
  fi
  echo "installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if [[ -z ${sluice_apt_updated:-} ]]; then
    "${sudo[@]}" apt-get -q update >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    sluice_apt_updated=1
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
    install "${missing[@]}" >"$log" 2>&1 </dev/null || { cat "$log" >&2; return 1; }
  rm -f "$log"
}
