# shellcheck shell=sh
# Adds the missing lines of its input to authorized_keys. The first line is the home directory. It changes a copy of the
# file, and renames the copy.
IFS= read -r home && mkdir -p "$home/.ssh" && chmod 700 "$home/.ssh" && cd "$home/.ssh" || exit 1
new=.authorized_keys.machineadm-new
rm -f "$new" || exit 1
if [ -e authorized_keys ]; then
  awk 1 authorized_keys >"$new" || exit 1
fi
while IFS= read -r key; do
  grep -qxFse "$key" "$new" || printf '%s\n' "$key" >>"$new" || exit 1
done
mv -f "$new" authorized_keys
