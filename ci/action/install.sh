#!/bin/sh
# Unpacks Fathom's tarball, a file or a release, after its checksum was compared; no toolchain.
# Needs tar, xz and sha256sum, and curl for a release.
set -eu

fail() {
    echo "error: $1" >&2
    exit 2
}

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/fathom.XXXXXX")
tarball=${FATHOM_TARBALL:-}
if [ -z "$tarball" ]; then
    [ -n "${FATHOM_VERSION:-}" ] || fail "which Fathom? Give the action a version or a tarball"
    case $(uname -m) in
        x86_64 | aarch64) triple=$(uname -m)-unknown-linux-musl ;;
        *) fail "there is no tarball for $(uname -m)" ;;
    esac
    name=fathom-$FATHOM_VERSION-$triple.tar.xz
    from=${GITHUB_SERVER_URL:?}/${FATHOM_REPOSITORY:?}/releases/download/v$FATHOM_VERSION
    for file in "$name" "$name.sha256"; do
        curl --fail --silent --show-error --location --retry 2 --max-time 120 \
            --output "$folder/$file" "$from/$file" || fail "no $file at $from"
    done
    tarball=$folder/$name
    [ -n "${FATHOM_SHA256:-}" ] || FATHOM_SHA256=$(cut -d ' ' -f 1 "$tarball.sha256")
fi
[ -f "$tarball" ] || fail "there is no file $tarball (input tarball)"
if [ -z "${FATHOM_SHA256:-}" ] && [ -f "$tarball.sha256" ]; then
    FATHOM_SHA256=$(cut -d ' ' -f 1 "$tarball.sha256")
fi
if [ -n "${FATHOM_SHA256:-}" ]; then
    found=$(sha256sum "$tarball" | cut -d ' ' -f 1)
    [ "$found" = "$FATHOM_SHA256" ] || fail "$tarball has SHA-256 $found, not $FATHOM_SHA256"
else
    echo "checksum not compared: no input sha256 and no $tarball.sha256"
fi
tar -xf "$tarball" -C "$folder" --strip-components=1 || fail "$tarball is not a tarball of Fathom"
"$folder/bin/fathom" --version || fail "the fathom of $tarball does not start here"
echo "fathom=$folder/bin/fathom" >>"$GITHUB_OUTPUT"
echo "$folder/bin" >>"$GITHUB_PATH"
