#!/bin/sh
# Installs GPT Studio for your user account, with the settings, texts and lesson of your class:  sh install.sh
# Without installers on the stick, only these are copied, and the program must be installed.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
class=$HOME/gptstudio-class program=$HOME/.local/bin/gptstudio installer=

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

cd "$here" || exit 1
if [ -d installers ]; then
    installer=$(ls installers/gptstudio-*-linux-"$(uname -m)".run 2>/dev/null | head -n 1)
    [ -n "$installer" ] || fail "There is no installer for Linux on $(uname -m) in $here/installers. Ask your instructor."
else
    [ -x "$program" ] || program=$(command -v gptstudio) ||
        fail "GPT Studio is not installed on this computer, and this stick contains no installers. Nothing was copied. Ask your instructor."
fi
grep -E " (class/|settings.toml${installer:+|$installer})" SHA256SUMS | sha256sum --check --quiet ||
    fail "Files on this stick are damaged. Nothing was installed. Ask your instructor for another stick."
if [ -d class ]; then
    mkdir -p "$class" && cp -R class/. "$class/" && chmod -R u+w "$class" || fail "$class cannot be written. Nothing was installed."
fi
beside=$(dirname "$(readlink -f "$program")") place=/etc/xdg/gptstudio
if [ -n "$installer" ]; then
    sh "$installer" --quiet --settings "$here/settings.toml" || exit
elif [ -L "$program" ] && [ -w "$beside" ]; then # installed for this user
    cp "$here/settings.toml" "$beside/settings.toml" || fail "The settings could not be written to $beside."
else
    sudo mkdir -p "$place" && sudo cp "$here/settings.toml" "$place/settings.toml" ||
        fail "The settings could not be written to $place."
fi
"$program" settings --check
echo "Start GPT Studio from the menu, or with $program."
