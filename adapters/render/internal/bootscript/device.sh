# shellcheck shell=sh
# _await_device DEVICE SECONDS waits for a block device, because udev may still be creating it.
_await_device() {
  _seconds=0
  until [ -b "$1" ]; do
    if [ "$_seconds" -ge "$2" ]; then
      echo "$1 did not appear" >&2
      return 1
    fi
    _seconds=$((_seconds + 1))
    udevadm settle || :
    sleep 1
  done
}
