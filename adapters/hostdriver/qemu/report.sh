# shellcheck shell=sh
# The program on the machine. It writes the state of the bootstrap to the disk "machineadm-report", with the syntax of
# host.sh of the ssh driver: lines of a name and a word, then the line "end". Other values than words are in base64.
# cloud-init starts it without arguments at each boot; the unit machineadm-host-report.service runs it.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
disk=/dev/disk/by-id/virtio-machineadm-report
# The ID of the first boot is at this offset of the disk, in blocks of 4096 bytes.
boot_block=15
sentinel=/run/cluster-api/bootstrap-success.complete
record=/run/cluster-api/bootstrap-failure.json
resume=/etc/systemd/system/machineadm-resume.service
# cloud-init creates this file when it has ended.
ended=/run/cloud-init/result.json

# respond NAME WORD prints a line, if there is a word.
respond() {
  [ -z "$2" ] || printf '%s %s\n' "$1" "$2"
}

# encode NAME LIMIT prints standard input in base64, up to a limit in bytes.
encode() {
  respond "$1" "$(head -c "$2" | base64 | tr -d '\n')"
}

# provider_id prints the provider ID of kubelet: that of its arguments, or else that of its configuration.
provider_id() {
  for process in /proc/[0-9]*; do
    read -r name 2>/dev/null <"$process/comm" || continue
    [ "$name" = kubelet ] || continue
    {
      tr '\0' '\n' <"$process/cmdline" | sed -n 's/^--provider-id=//p; /^--provider-id$/{n;p;}'
      sed -n 's/^providerID: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /var/lib/kubelet/config.yaml
    } 2>/dev/null | head -n1
    return
  done
}

# phase prints the phase of the bootstrap. A reboot removes the sentinel and the record, so the phase that is on the
# disk counts, too. Data that a reboot interrupts does not run again, unless the agent continues it.
phase() {
  if [ -e "$sentinel" ] || [ "$stored" = Succeeded ]; then
    echo Succeeded
  elif [ -e "$record" ] || [ "$stored" = Failed ]; then
    echo Failed
  elif [ -e "$resume" ]; then
    echo Running
  elif [ "$boot" != "$first_boot" ]; then
    echo Interrupted
  elif [ -e "$ended" ]; then
    echo Failed
  else
    echo Running
  fi
}

# state prints the lines for a phase.
state() {
  respond phase "$1"
  if [ "$1" = Failed ]; then
    if [ -e "$record" ]; then
      encode record 16384 <"$record"
    else
      respond detail unconfirmed
    fi
  fi
  encode hostname 256 </proc/sys/kernel/hostname
  ip -o address show up 2>/dev/null | encode addresses 8192
  provider_id | tr -d '\n' | encode provider 256
  echo end
}

# store BLOCK writes standard input to a block of the disk.
store() {
  dd of="$disk" bs=4096 seek="$1" iflag=fullblock conv=notrunc,fsync 2>/dev/null
}

# stored_text BLOCK LIMIT prints the text that is on the disk.
stored_text() {
  dd if="$disk" bs=4096 skip="$1" count="$2" 2>/dev/null | tr -d '\0'
}

report() {
  until [ -e "$disk" ]; do sleep 1; done
  boot=$(cat /proc/sys/kernel/random/boot_id)
  first_boot=$(stored_text "$boot_block" 1)
  if [ -z "$first_boot" ]; then
    first_boot=$boot
    printf %s "$boot" | store "$boot_block"
  fi
  stored=$(stored_text 0 "$boot_block" | sed -n '/^end$/q; s/^phase //p')
  last=''
  while true; do
    current=$(phase)
    # The reason of an earlier failure stays on the disk.
    if [ "$current" != Failed ] || [ "$stored" != Failed ]; then
      text=$(state "$current")
      [ "$text" = "$last" ] || printf '%s\n' "$text" | store 0
      last=$text
    fi
    stored=$current
    sleep 2
  done
}

if [ "${1-}" = report ]; then
  report
fi
# cloud-init runs this before sysinit.target, which the unit waits for.
exec systemd-run --quiet --no-block --unit=machineadm-host-report /bin/sh "$0" report
