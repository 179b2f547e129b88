#!/bin/sh
# Installs vitrine: picks the binary for this machine, verifies its checksum, and puts it on the PATH.
#
#   sh install.sh                      from the folder that holds this script
#   sh install.sh ADDRESS              from an https address that holds the files of a release
#   sh install.sh --to FOLDER [...]    into FOLDER instead of /usr/local/bin
#
# Nothing is installed unless the checksum matches.
set -eu

fail() { echo "install: $1" >&2; exit 1; }

to=/usr/local/bin
from=
while [ $# -gt 0 ]; do
  case "$1" in
    --to) [ $# -ge 2 ] || fail '--to needs a folder'; to=$2; shift 2 ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) fail "unknown option $1" ;;
    *) from=$1; shift ;;
  esac
done
[ -n "$from" ] || from=$(dirname "$0")

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no binary for $(uname -s); on Windows, download the .exe" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no binary for $(uname -m)" ;;
esac
[ "$system-$machine" != darwin-x64 ] || fail 'there is no binary for Macs with Intel processors'
suffix=
if [ "$system" = linux ] && ! ls /lib*/ld-linux* /lib/*/ld-linux* >/dev/null 2>&1; then suffix=-musl; fi
name=vitrine-$system-$machine$suffix

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

get() {
  case "$from" in
    https://* | http://127.0.0.1:*)
      if command -v curl >/dev/null; then curl -fsSL -o "$scratch/$1" "$from/$1"
      elif command -v wget >/dev/null; then wget -qO "$scratch/$1" "$from/$1"
      else fail 'neither curl nor wget is installed'; fi ;;
    *://*) fail "only https addresses are accepted: $from" ;;
    *) cp "$from/$1" "$scratch/$1" ;;
  esac || fail "$from has no $1"
}

get SHA256SUMS
get "$name"

expected=$(awk -v name="$name" '$2 == name { print $1 }' "$scratch/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS does not list $name"
if command -v sha256sum >/dev/null; then actual=$(sha256sum "$scratch/$name" | cut -d' ' -f1)
else actual=$(shasum -a 256 "$scratch/$name" | cut -d' ' -f1); fi
[ "$actual" = "$expected" ] || fail "the checksum of $name is wrong: nothing was installed"

mkdir -p "$to" && [ -w "$to" ] || fail "cannot write to $to: run this with sudo, or choose another folder with --to"
chmod 755 "$scratch/$name"
# Renamed inside the folder, so that a running vitrine keeps its own file and nobody sees half a binary.
cp "$scratch/$name" "$to/.vitrine.new" && mv -f "$to/.vitrine.new" "$to/vitrine"
echo "installed $("$to/vitrine" --version) as $to/vitrine"
case ":$PATH:" in *":$to:"*) ;; *) echo "add $to to your PATH" ;; esac
