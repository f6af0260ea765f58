# shellcheck shell=sh
# _merge_fstab FIELD ENTRY merges an entry into /etc/fstab. It replaces entries with the same value in the field with
# this number, as FstabEntry.Merge does.
_merge_fstab() {
  [ -e /etc/fstab ] || : >/etc/fstab
  cp -p /etc/fstab /etc/.fstab.machineadm-new &&
    ENTRY=$2 awk -v field="$1" '
BEGIN { entry = ENVIRON["ENTRY"]; split(entry, want) }
/^[ \t]*#/||$field "" != want[field] "" { print; next }
!placed++ { print entry } END { if (!placed) print entry }
' /etc/fstab >/etc/.fstab.machineadm-new &&
    mv -f /etc/.fstab.machineadm-new /etc/fstab
}
