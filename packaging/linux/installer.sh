#!/bin/sh
{   # Installs GPT Studio @VERSION@ for one user, without root: sh THIS-FILE. (Options: sh THIS-FILE --help)
    # Nothing below this block is executed or parsed before its digest has been checked.
    seal='0000000000000000000000000000000000000000000000000000000000000000'
    found=$(tail --lines=+12 "$0" | "sha256sum")
    if [ "${found%% *}" != "$seal" ]; then
        echo "This installer is damaged. Nothing was installed. Copy or download it again." >&2
        exit 3
    fi
}
# The digest covers everything below this line.
set -u
umask 022
version=@VERSION@ lines=@LINES@ kilobytes=@KILOBYTES@
quiet='' target='' settings='' made=''

help() {
    cat <<HELP
GPT Studio $version: build a GPT-2, train it, and watch it choose every token.

    sh ${0##*/} [--quiet] [--target DIR] [--settings FILE]

installs it for your user account, without root and without downloads. An older version is replaced, even while it
is running; your runs, texts and settings are kept.

    --quiet, -q        prints only errors (also: --silent)
    --target DIR       the folder of the program (default: ~/.local/share/gptstudio-app, or in \$XDG_DATA_HOME)
    --settings FILE    a settings.toml of a workshop for this program
    --check            only checks that this file is complete
    --help, -h         shows this text

Afterwards it is in the menu, and as gptstudio in ~/.local/bin. gptstudio-uninstall removes it.
Exit codes: 0 success, 1 not possible here (with the reason; nothing is changed), 2 invalid option, 3 damaged file.
HELP
}

say() { [ -n "$quiet" ] || printf '%s\n' "$*"; }

refuse() {
    printf '%s\n' "$*" >&2
    exit 1
}

read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            -q | --quiet | --silent) quiet=yes ;;
            --target | --settings)
                [ $# -gt 1 ] && [ -n "$2" ] || { echo "$1 needs a path." >&2; exit 2; }
                case $1 in --target) target=$2 ;; *) settings=$2 ;; esac
                shift ;;
            --check) say "This installer of GPT Studio $version is complete."; exit 0 ;;
            -h | --help) help; exit 0 ;;
            *) echo "Unknown option: $1. --help lists the options." >&2; exit 2 ;;
        esac
        shift
    done
}

find_places() {
    [ -n "${HOME:-}" ] || HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
    [ -d "${HOME:-}" ] || refuse "Your home folder (${HOME:-none}) does not exist, so nothing can be installed for your user account."
    case ${XDG_DATA_HOME:-} in
        /*) data=$XDG_DATA_HOME ;;
        *) data=$HOME/.local/share ;;
    esac
    bin=$HOME/.local/bin
    : "${target:=$data/gptstudio-app}"
    case $target in /*) ;; *) target=$PWD/$target ;; esac
    [ "$target" = / ] || target=${target%/}
    list=$target/installed.txt
    [ "$(printf %s "$target$data" | wc -l)" -eq 0 ] || refuse "A path that contains a line break cannot be used."
}

look_before() {
    command -v xz >/dev/null || refuse "The program xz is needed to unpack this installer. Install xz-utils (or xz), and try again."
    [ -z "$settings" ] || [ -r "$settings" ] || refuse "The settings $settings cannot be read."
    if [ -e "$target" ] && [ ! -f "$list" ] && [ -n "$(ls -A "$target" 2>&1)" ]; then
        refuse "$target contains other files. Choose an empty or a new folder with --target."
    fi
    above=$target
    until [ -e "$above" ]; do above=$(dirname "$above"); done
    if [ ! -d "$above" ] || [ ! -w "$above" ]; then
        refuse "$above cannot be written. Choose another folder with --target."
    fi
    free=$(df -k --output=avail "$above" | tail -n 1)
    needed=$((kilobytes + kilobytes / 50 + 1024))
    [ "$free" -ge "$needed" ] || refuse "There is not enough space in $above:" \
        "GPT Studio needs $((needed / 1024)) MB, and $((free / 1024)) MB are free. Nothing was installed."
}

# Creates a folder and its missing parents. Each is added to the list before it is created, so that the uninstaller
# removes it even if this script is killed.
folder() {
    [ -d "$1" ] && return
    folder "$(dirname "$1")"
    made="$1/
$made"
    [ ! -f "$list" ] || printf '%s\n' "$1/" >>"$list"
    mkdir "$1" 2>/dev/null || refuse "The folder $1 cannot be created."
}

clean_up() {
    [ -z "${new:-}" ] || rm -rf "$new"
    [ -z "${installed:-}" ] || return
    [ -e "$target/current" ] || rm -f "$list"
    printf %s "$made" | while IFS= read -r each; do rmdir "$each" 2>/dev/null; done
}

unpack() {
    for stray in "$target"/.new.*; do # of an installation that was killed
        kill -0 "${stray##*.}" 2>/dev/null || rm -rf "$stray"
    done
    folder "$target"
    [ -f "$list" ] || printf %s "$made" >"$list" || refuse "$list cannot be written."
    new=$target/.new.$$
    mkdir "$new" || refuse "The folder $new cannot be created."
    say "Unpacking GPT Studio $version ..."
    tail -n +$((lines + 1)) "$0" | xz -dc | tar -C "$new" --no-same-owner -xf - ||
        refuse "GPT Studio could not be unpacked into $target; see above. Nothing was changed."
    words=$(GPTSTUDIO_HOME="$new/home" "$new/app/gptstudio" --version 2>&1 </dev/null) ||
        refuse "GPT Studio does not start on this system. Nothing was changed. Its message: $words"
}

# Each version has its own folder, so that a running old version still finds its files.
switch() {
    name=$version.$(date +%s).$$
    old_settings=$target/current/settings.toml
    [ -n "$settings" ] || [ ! -f "$old_settings" ] || settings=$old_settings
    [ -z "$settings" ] || cp "$settings" "$new/app/settings.toml" || refuse "$settings could not be copied."
    mv "$new/app" "$target/$name" && ln -s "$name" "$new/current" && mv -fT "$new/current" "$target/current" ||
        refuse "GPT Studio could not be moved to $target."
    installed=yes
}

# New files replace old ones before the others are deleted, so that there is a working program at any time.
add_to_menu() {
    cp "$list" "$new/before"
    quoted=$(printf %s "$target/current/gptstudio" | sed 's/[\\"`$]/\\&/g; s/\\/\\\\/g; s/%/%%/g')
    for entry in "$new"/share/applications/*.desktop; do
        started_from_there <"$entry" >"$new/entry" && mv "$new/entry" "$entry"
    done
    (cd "$new/share" && find . -type f) >"$new/files"
    while IFS= read -r file; do
        put "$new/share/$file" "$data/${file#./}"
    done <"$new/files"
    put "$new/uninstall.sh" "$target/gptstudio-uninstall"
    link gptstudio "$target/current/gptstudio"
    link gptstudio-uninstall "$target/gptstudio-uninstall"
    grep -v '/$' "$new/before" | while IFS= read -r file; do
        grep -qxF -e "$file" "$new/now" || rm -f "$file"
    done
    grep '/$' "$list" | cat - "$new/now" | LC_ALL=C sort -ru >"$new/list"
    mv -f "$new/list" "$list"
    { update-desktop-database "$data/applications"; update-mime-database "$data/mime"; } >/dev/null 2>&1
}

remember() { printf '%s\n' "$1" | tee -a "$list" >>"$new/now"; }

put() {
    folder "$(dirname "$2")"
    remember "$2"
    mv -f "$1" "$2"
}

# Rewrites a menu entry with the quoted path of the program.
started_from_there() {
    while IFS= read -r line; do
        case $line in
            Exec=gptstudio*) printf '%s\n' "Exec=\"$quoted\"${line#Exec=gptstudio}" ;;
            *) printf '%s\n' "$line" ;;
        esac
    done
}

link() {
    if [ -e "$bin/$1" ] && [ ! -L "$bin/$1" ]; then
        say "$bin/$1 is another program and was kept. Start this one as $2."
    else
        ln -s "$2" "$new/link" # ln -f would leave a link with a random name if it were killed
        put "$new/link" "$bin/$1"
    fi
}

remove_older() {
    for old in "$target"/[0-9]*; do
        [ "$old" != "$target/$name" ] || continue
        if ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF -e "-> $(readlink -f "$old")/"; then
            say "The older GPT Studio is still running and was not interrupted. The next installation removes its files."
        else
            rm -rf "$old"
        fi
    done
}

read_options "$@"
find_places
look_before
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
unpack
switch
add_to_menu
remove_older
say "GPT Studio $version is installed in $target: start it from the menu, or with $bin/gptstudio." \
    "$target/gptstudio-uninstall removes it."
exit 0
