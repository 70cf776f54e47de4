#!/bin/sh
# Installs GPT Studio on macOS, with the settings, texts and lesson of your class:  sh install.command
# Without installers on the stick, only these are copied, and the program must be installed.
# The settings are for all users of the Mac, so macOS asks for the password of an administrator.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
class=$HOME/gptstudio-class app="$HOME/Applications/GPT Studio.app" mounted=$(mktemp -d)

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

image=
if [ ! -d "$here/installers" ]; then
    [ -d "$app" ] || app="/Applications/GPT Studio.app"
    [ -d "$app" ] || fail "GPT Studio is not installed on this Mac, and this stick contains no installers. Nothing was copied. Ask your instructor."
else
    image=$(ls "$here"/installers/gptstudio-*-macos-"$(uname -m)".dmg 2>/dev/null | head -n 1)
    [ -n "$image" ] || fail "There is no installer for this Mac in $here/installers. Ask your instructor."
fi
if [ -d "$here/class" ]; then
    mkdir -p "$class" && cp -R "$here/class/." "$class/" && chmod -R u+w "$class" || fail "$class cannot be written."
fi
if [ -n "$image" ]; then
    hdiutil attach "$image" -nobrowse -readonly -mountpoint "$mounted" >/dev/null || fail "$image could not be opened."
    mkdir -p "$HOME/Applications" && ditto "$mounted/GPT Studio.app" "$app" || fail "$app could not be written."
    hdiutil detach "$mounted" >/dev/null
fi
place="/Library/Application Support/gptstudio"
sudo mkdir -p "$place" && sudo cp "$here/settings.toml" "$place/settings.toml" || fail "The settings could not be written to $place."
"$app/Contents/MacOS/gptstudio" settings --check
echo "GPT Studio is ready: $app"
