#!/bin/sh
# Installs GPT Studio on macOS, with the settings, texts and lesson of your class:  sh install.command
# The settings belong to the whole computer there, so macOS asks for the password of an administrator.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
class=$HOME/gptstudio-class app="$HOME/Applications/GPT Studio.app" mounted=$(mktemp -d)

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

image=$(ls "$here"/installers/gptstudio-*-macos-"$(uname -m)".dmg 2>/dev/null | head -n 1)
[ -n "$image" ] || fail "There is no installer for this Mac in $here/installers. Ask your instructor."
if [ -d "$here/class" ]; then
    mkdir -p "$class" && cp -R "$here/class/." "$class/" && chmod -R u+w "$class" || fail "$class cannot be written."
fi
hdiutil attach "$image" -nobrowse -readonly -mountpoint "$mounted" >/dev/null || fail "$image could not be opened."
mkdir -p "$HOME/Applications" && ditto "$mounted/GPT Studio.app" "$app" || fail "$app could not be written."
hdiutil detach "$mounted" >/dev/null
place="/Library/Application Support/gptstudio"
sudo mkdir -p "$place" && sudo cp "$here/settings.toml" "$place/settings.toml" || fail "The settings could not be written to $place."
"$app/Contents/MacOS/gptstudio" settings --check
echo "GPT Studio is installed. It is in Applications, in your own folder."
