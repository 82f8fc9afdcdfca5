#!/bin/sh
# Downloads pith for this machine, compares its checksum, and puts it into a directory.
#   VERSION=0.2.0      a version other than the newest
#   PITH_BIN=<dir>     where to; ~/.local/bin, or /usr/local/bin for root
#   PITH_RELEASES=<url>  another place than the project's releases
set -eu

say() { printf 'pith: %s\n' "$1" >&2; }
stop() {
  say "$1"
  exit 1
}

releases=${PITH_RELEASES:-https://github.com/pith-agent/pith/releases}
if [ -n "${VERSION:-}" ] && [ "$VERSION" != latest ]; then from="$releases/download/v$VERSION"; else from="$releases/latest/download"; fi

case "$(uname -m)" in
x86_64 | amd64) cpu=x64 ;;
aarch64 | arm64) cpu=arm64 ;;
*) stop "there is no file for the processor $(uname -m)" ;;
esac
case "$(uname -s)" in
Linux)
  name="pith-linux-$cpu"
  for loader in /lib/ld-musl-*; do if [ -e "$loader" ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; then name="$name-musl"; fi; done
  ;;
Darwin) name="pith-darwin-$cpu" ;;
*) stop "there is no file for $(uname -s); on Windows use WSL 2, or download pith-windows-x64.exe" ;;
esac

if [ -n "${PITH_BIN:-}" ]; then bin=$PITH_BIN; elif [ "$(id -u)" = 0 ]; then bin=/usr/local/bin; else bin=${HOME:?}/.local/bin; fi
mkdir -p "$bin" || stop "$bin cannot be made"
work=$(mktemp -d "$bin/.pith-XXXXXX") || stop "$bin cannot be written"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

if command -v curl >/dev/null; then
  fetch() { curl -fsSL --retry 2 -o "$2" "$1"; }
elif command -v wget >/dev/null; then
  fetch() { wget -q -O "$2" "$1"; }
else
  stop "neither curl nor wget is installed"
fi
if command -v sha256sum >/dev/null; then
  sum() { sha256sum "$1"; }
elif command -v shasum >/dev/null; then
  sum() { shasum -a 256 "$1"; }
else
  stop "neither sha256sum nor shasum is installed, so the download could not be checked"
fi

fetch "$from/SHA256SUMS" "$work/SHA256SUMS" || stop "$from/SHA256SUMS cannot be fetched"
wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\$/\1/p" "$work/SHA256SUMS")
[ -n "$wanted" ] || stop "the release has no $name"
fetch "$from/$name" "$work/pith" || stop "$from/$name cannot be fetched"
found=$(sum "$work/pith")
[ "${found%% *}" = "$wanted" ] || stop "the download is not what the release names; nothing was installed"
chmod 755 "$work/pith"
"$work/pith" --version >/dev/null || stop "the file does not start on this machine; nothing was installed"
mv -f "$work/pith" "$bin/pith"
say "$("$bin/pith" --version) is at $bin/pith"
case ":$PATH:" in
*":$bin:"*) ;;
*) say "$bin is not in PATH; add it in the start-up file of your shell" ;;
esac
