# shellcheck shell=sh
# Runs the command in the arguments again as long as it fails and another program, such as unattended upgrades at boot,
# holds a lock of dpkg or apt. dpkg does not wait for its locks, and apt does not wait for that of the package lists.
seconds=0
until "$@"; do
  code=$?
  locks=$(stat -c ':%i ' /var/lib/dpkg/lock* /var/lib/apt/lists/lock 2>/dev/null)
  if [ "$seconds" -ge 300 ] || [ ! "$locks" ] || ! grep -qF "$locks" /proc/locks; then
    exit "$code"
  fi
  seconds=$((seconds + 5))
  sleep 5
done
