#!/bin/sh
# Removes the files that the installer has listed. Runs, texts and settings of the user are kept.
set -u
here=$(dirname "$(readlink -f "$0")")
list=$here/installed.txt
quiet='' force=''

for option in "$@"; do
    case $option in
        -q | --quiet | --silent) quiet=yes ;;
        --force) force=yes ;;
        *)
            echo "gptstudio-uninstall [--quiet] [--force]   removes GPT Studio from $here; with --force even while it is running." >&2
            case $option in -h | --help) exit 0 ;; *) exit 2 ;; esac ;;
    esac
done

say() { [ -n "$quiet" ] || printf '%s\n' "$*"; }

if [ ! -r "$list" ]; then
    echo "$list is missing, so the files of the program are not known. Nothing was removed." >&2
    exit 1
fi
if [ -z "$force" ] && ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF -e "-> $here/"; then
    echo "GPT Studio is running. Close it first, so that nothing is lost, or use --force." >&2
    exit 1
fi

remembered=$(cat "$list")
data=$(printf '%s\n' "$remembered" | sed -n 's|/applications/gptstudio\.desktop$||p')
rm -rf "$here"/[0-9]* "$here"/.new.* "$here/current"
printf '%s\n' "$remembered" | grep -v '/$' | while IFS= read -r file; do rm -f "$file"; done

# Update or remove the caches that the desktop's tools derive from the files.
update-desktop-database "$data/applications" >/dev/null 2>&1
cache=$data/applications/mimeinfo.cache
[ ! -f "$cache" ] || [ "$(wc -l <"$cache")" -gt 1 ] || rm -f "$cache"
if printf '%s\n' "$remembered" | grep -qxF "$data/mime/" && [ -z "$(ls -A "$data/mime/packages" 2>/dev/null)" ]; then
    rm -rf "$data/mime"
else
    update-mime-database "$data/mime" >/dev/null 2>&1
fi

rm -f "$list" "$here/gptstudio-uninstall"
printf '%s\n' "$remembered" | grep '/$' | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null; done
rmdir "$here" 2>/dev/null
say "GPT Studio was removed."
runs=${GPTSTUDIO_HOME:-$data/gptstudio}
[ ! -d "$runs" ] || say "Your runs and texts are kept in $runs. Delete that folder if you do not need them."
exit 0
