# shellcheck shell=sh
# The program on the host. A session evaluates it with the text of the program in the variable program, and passes the
# operation on standard input: lines of a name and a word, then the line "end". The response on standard output has the
# same form; words contain no spaces, and other values are in base64. A run and a reset execute the program as a file
# with two arguments.
#
# ADR 0075 describes the files below $root. Only root can read them. All changes hold the lock of file descriptor 9; a
# run and a reset hold their own lock with file descriptor 8 as long as they exist.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin
HOME=/root
export PATH HOME
root=/var/lib/machineadm-hosts
state=/var/lib/machineadm
sentinel=/run/cluster-api/bootstrap-success.complete
resume=/etc/systemd/system/machineadm-resume.service
# The manifest of the Pod that announces the virtual IP of a control plane.
manifest=/etc/kubernetes/manifests/kube-vip.yaml
# The folders for the configuration and the state of network plugins.
plugin='/etc/cni/net.d /var/lib/cni'
# The free space in /var that a host must have, in KiB.
space=65536
# The number of files that a host must be able to create in /var/lib.
inodes=1024

# respond NAME WORD writes a line of the response, if there is a word.
respond() {
  [ -z "$2" ] || printf '%s %s\n' "$1" "$2"
}

# encode NAME LIMIT responds with standard input in base64, up to a limit in bytes.
encode() {
  respond "$1" "$(head -c "$2" | base64 | tr -d '\n')"
}

# finish ends the response and the session.
finish() {
  echo end
  exit 0
}

# fail FAULT [DETAIL] responds with a fault and ends the session.
fail() {
  respond fault "$1"
  [ -z "${2-}" ] || respond detail "$2"
  finish
}

# fail_storage ends the session after a failed write. Root may write everywhere except on a file system that is
# read-only.
fail_storage() {
  [ -w /var/lib ] || fail HostUnsupported read-only
  fail DiskFull
}

# claimed prints the claim of the host. It fails if the claim cannot be read: then the host is not free.
claimed() {
  [ ! -e "$root/claim" ] || cat "$root/claim" 2>/dev/null
}

# read_claim sets current to the claim of the host, or ends the session.
read_claim() {
  current=$(claimed) || fail Busy claim
}

# lock waits for the lock of the host. It is bounded, because another session may hang.
lock() {
  exec 9>>"$root/lock"
  timeout 20 flock 9
}

# lock_session locks the host or ends the session. A failed redirection of exec would end the shell.
lock_session() {
  { mkdir -p "$root" && chmod 700 "$root" && true >>"$root/lock"; } 2>/dev/null || fail_storage
  lock || fail Busy
}

# unlock releases the lock of the host.
unlock() {
  exec 9>&-
}

# held FILE succeeds if a process holds the lock of the file.
held() {
  [ -e "$1" ] && ! flock -sn 8 8<"$1"
}

# replace FILE writes standard input to a file, so that the file has its old or its new content after a power cut.
replace() {
  cat >"$1.new" && sync "$1.new" && mv "$1.new" "$1"
}

# kubelet prints the process ID of kubelet. Users and Pods choose the names of their processes, too, so only root's
# processes outside of containers count.
kubelet() {
  for process in /proc/[0-9]*; do
    # dash, bash and BusyBox have -O and -ef.
    # shellcheck disable=SC3013,SC3067
    { [ -O "$process" ] && [ "$process/ns/pid" -ef /proc/self/ns/pid ]; } || continue
    read -r name 2>/dev/null <"$process/comm" || continue
    [ "$name" != kubelet ] || {
      echo "${process#/proc/}"
      return
    }
  done
}

# settled_kubelet prints the process ID of a kubelet that stays. Before kubeadm has written its configuration, the unit
# of the packages starts kubelet again and again, and each one ends at once.
settled_kubelet() {
  found=$(kubelet)
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    if [ -z "$found" ] || [ -e /var/lib/kubelet/config.yaml ]; then
      break
    fi
    sleep 0.5
    [ "$(kubelet)" = "$found" ] || found=''
  done
  echo "$found"
}

# unclean prints what a machine left on the host, as a word.
unclean() {
  if [ "$(settled_kubelet)" ]; then
    echo kubelet
  elif [ -e "$sentinel" ] || [ -e "${sentinel%/*}/bootstrap-failure.json" ]; then
    echo sentinel
  elif [ "$(find /etc/kubernetes ! -type d 2>/dev/null | head -n1)" ]; then
    echo kubernetes
  elif [ "$(find /var/lib/etcd ! -type d 2>/dev/null | head -n1)" ]; then
    echo etcd
  elif [ -e "$state/started" ] || [ -e "$state/done" ] || [ -e "$state/failure.json" ] ||
    [ -s "$state/journal.jsonl" ]; then
    echo state
  elif [ "$(find /etc/cni/net.d/ -name '*kubeconfig*' 2>/dev/null | head -n1)" ]; then
    echo cni
  fi
}

# free prints the free space of /var in KiB.
free() {
  df -Pk /var | tail -n1 | tr -s ' ' | cut -d' ' -f4
}

# lacks_inodes succeeds if /var/lib has too few free inodes. A file system without a limit reports none at all.
lacks_inodes() {
  df -Pi /var/lib 2>/dev/null | tail -n1 | {
    read -r _ total _ available _
    [ "$total" -gt 0 ] && [ "$available" -lt "$inodes" ]
  } 2>/dev/null
}

# require_clean ends the session if a machine cannot use the host. A probe writes nothing, and must find what prevents a
# claim: otherwise a machine would claim and return the host forever.
require_clean() {
  left=$(unclean)
  [ -z "$left" ] || fail NotClean "$left"
  [ -w /var/lib ] || fail HostUnsupported read-only
  ! lacks_inodes || fail DiskFull inodes
  [ "$(free)" -ge "$space" ] || fail DiskFull
}

# provider_id prints the provider ID of kubelet: that of its arguments, or else that of its configuration.
provider_id() {
  pid=$(kubelet)
  [ "$pid" ] || return
  {
    tr '\0' '\n' <"/proc/$pid/cmdline" | sed -n 's/^--provider-id=//p; /^--provider-id$/{n;p;}'
    sed -n 's/^providerID: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /var/lib/kubelet/config.yaml
  } 2>/dev/null | head -n1
}

# describe responds with the names and addresses of the host.
describe() {
  encode hostname 256 </proc/sys/kernel/hostname
  ip -o address show up 2>/dev/null | encode addresses 16384
  provider_id | tr -d '\n' | encode provider 256
}

probe() {
  read_claim
  if [ "$current" ] && [ -e "$root/$current/started" ]; then
    fail ClaimedByOther
  fi
  require_clean
  respond architecture "$(uname -m)"
  respond cpus "$(grep -c ^processor /proc/cpuinfo)"
  respond memory "$(tr -s ' ' </proc/meminfo | sed -n 's/^MemTotal: \([0-9]*\) kB$/\1/p')"
  respond disk "$(free)"
  ! has_agent || respond agent true
  cat /etc/os-release /usr/lib/os-release 2>/dev/null | encode os 8192
}

claim() {
  lock_session
  read_claim
  [ "$current" != "$id" ] || return 0
  if [ "$current" ] && [ -e "$root/$current/started" ]; then
    fail ClaimedByOther
  fi
  require_clean
  rm -rf "$root"/*-*-*-*-*
  { mkdir "$directory" && echo "$id" | replace "$root/claim"; } 2>/dev/null || fail_storage
}

# require_claim locks the host, and ends the session if the host does not have the claim.
require_claim() {
  lock_session
  read_claim
  [ "$current" = "$id" ] || fail ClaimedByOther
}

# begun ends the session if the data was started, or must not be started any more.
begun() {
  if [ -e "$directory/started" ] || [ -e "$directory/release" ]; then
    finish
  fi
}

boot() {
  require_claim
  begun
  [ "$format" = shell ] || has_agent || fail HostUnsupported agent
  if ! intact "$directory/data"; then
    unlock
    receive
    require_claim
    begun
    { echo "$format" | replace "$directory/format" && sync "$received" && mv "$received" "$directory/data"; } \
      2>/dev/null || fail_storage
  fi
  launch run
  unlock
  await_start
}

# await_start waits until the run has started the data, because until then another machine may replace the claim.
await_start() {
  tries=0
  until [ -e "$directory/started" ]; do
    [ "$tries" -lt 100 ] || fail Busy
    sleep 0.1
    tries=$((tries + 1))
  done
}

# receive reads the data to a file of this session. It holds no lock and is bounded, because the connection may break.
receive() {
  received=$directory/data.$$
  trap 'rm -f "$received"' EXIT
  echo send
  timeout 120 cat 2>/dev/null >"$received"
  case $? in
    0) ;;
    124 | 143) fail Unreachable ;;
    *) fail_storage ;;
  esac
  intact "$received" || fail BootstrapDataInvalid
}

# intact FILE succeeds if the file has the digest of the data.
intact() {
  [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$sha256" ]
} 2>/dev/null

# has_agent succeeds if the host has one of the agents that the controller knows.
has_agent() {
  agent=$(command -v machineadm) && digest=$(sha256sum <"$agent" | cut -d' ' -f1) || return
  case ,$agents, in
    *,"$digest",*) ;;
    *) return 1 ;;
  esac
}

# launch run|reset starts this program so that it outlives the session. logind may end other processes of a session.
# A second start does nothing; see run and reset.
launch() {
  printf '%s\n' "$program" | replace "$directory/program" 2>/dev/null || fail_storage
  if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null; then
    unit=machineadm-host-$id-$1.service
    systemd-run --quiet --collect --unit="$unit" /bin/sh "$directory/program" "$1" "$id" >/dev/null 2>&1 ||
      systemctl is-active --quiet "$unit" || fail HostUnsupported systemd-run
  else
    env -i setsid /bin/sh "$directory/program" "$1" "$id" </dev/null >/dev/null 2>&1 9>&- &
  fi
}

# run starts the data once: the directory is created once, and a power cut does not remove it. An observer holds the
# lock of a run for a moment, so this waits.
run() {
  exec 8>>"$directory/lock" && timeout 60 flock 8 && lock || exit 1
  [ "$(claimed)" = "$id" ] && [ ! -e "$directory/release" ] && [ ! -e "$directory/started" ] && record_network &&
    mkdir "$directory/started" && sync "$directory" || exit 1
  echo $$ >"$directory/pid"
  unlock
  start_data >"$directory/log" 2>&1 </dev/null 8>&-
  code=$?
  # A shutdown ended the agent, which continues at the next boot.
  [ "$code" != 143 ] || exit "$code"
  outcome="failed $code"
  if [ "$code" = 0 ]; then
    outcome=succeeded
    [ -e "$sentinel" ] || outcome="unconfirmed 0"
  fi
  {
    echo "$outcome"
    tail -c4096 "$directory/log"
  } | replace "$directory/result"
  rm -f "$directory"/data "$directory"/data.*
}

# record_network records the files and links of the host that a network plugin of the machine may add to.
record_network() {
  new=$directory/network.new
  rm -rf "$directory/network" "$new"
  mkdir "$new" || return
  # A link that is down has no effect: a reset sets those down that the kernel does not remove.
  for link in /sys/class/net/*; do
    { read -r flags <"$link/flags" && [ $((flags & 1)) = 0 ]; } || echo "${link##*/}"
  done >"$new/links"
  for folder in $plugin; do
    [ ! -d "$folder" ] || cp -a "$folder/." "$new/${folder##*/}" || return
  done
  find "$new" ! -type l -exec sync {} + && mv "$new" "$directory/network"
} >/dev/null 2>&1

# start_data runs the data. The interpreter of a script reads it, because /var may be mounted noexec.
start_data() {
  cd / || return
  if [ "$(cat "$directory/format")" = shell ]; then
    # The interpreter may have an argument.
    # shellcheck disable=SC2046
    $(sed -n '1s/^#!//p' "$directory/data") "$directory/data"
  else
    machineadm apply --path="$directory/data"
  fi
}

observe() {
  describe
  read_claim
  if [ -z "$current" ]; then
    respond phase Released
  elif [ "$current" != "$id" ]; then
    fail ClaimedByOther
  elif [ -e "$directory/release" ]; then
    observe_reset
  elif [ ! -e "$directory/started" ]; then
    respond phase Claimed
  elif held "$directory/lock"; then
    respond phase Running
  else
    observe_result
  fi
}

# observe_result responds with the phase of a run that has ended. Without a result, a reboot interrupted the run, or the
# disk was full. A reboot removes the sentinel, and the bootstrap publishes it again.
observe_result() {
  outcome='' code=''
  [ ! -e "$directory/result" ] || read -r outcome code <"$directory/result"
  record=${sentinel%/*}/bootstrap-failure.json
  [ -e "$record" ] || record=$state/failure.json
  if [ -z "$outcome" ] && { [ -e "$sentinel" ] || [ -e "$state/done" ]; }; then
    outcome=succeeded
  fi
  if [ "$outcome" = succeeded ]; then
    respond phase Succeeded
  elif [ "$outcome" ] || [ -e "$record" ]; then
    respond phase Failed
    [ "$outcome" != unconfirmed ] || respond detail unconfirmed
    [ -z "$code" ] || respond code "$code"
    [ ! -e "$record" ] || encode record 16384 <"$record"
    [ ! -e "$directory/result" ] || tail -n+2 "$directory/result" | encode log 4096
  elif [ -e "$resume" ]; then
    respond phase Running
    return
  else
    respond phase Interrupted
  fi
  rm -f "$directory"/data "$directory"/data.*
}

# observe_reset responds with the phase of a release. A reset without a result was interrupted, and starts again with
# the next release.
observe_reset() {
  if held "$directory/reset.lock"; then
    respond phase Releasing
  elif [ -e "$directory/released" ]; then
    read -r fault detail <"$directory/released"
    fail "$fault" "$detail"
  else
    respond phase Interrupted
  fi
}

release() {
  lock_session
  read_claim
  [ "$current" = "$id" ] || return 0
  if [ ! -e "$directory/started" ]; then
    forget
    return
  fi
  ! held "$directory/reset.lock" || return 0
  rm -f "$directory/released"
  mkdir -p "$directory/release" 2>/dev/null || fail_storage
  launch reset
}

# forget removes the claim, and then what belongs to it. The caller holds the lock of the host.
forget() {
  rm -f "$root/claim"
  sync "$root" 2>/dev/null
  rm -rf "$directory"
}

# reset ends the run, resets the host and verifies it.
reset() {
  exec 8>>"$directory/reset.lock" && timeout 60 flock 8 || exit 1
  [ "$(claimed)" = "$id" ] && [ -e "$directory/release" ] && [ ! -e "$directory/released" ] || exit 1
  {
    stop
    rm -f "$directory"/data "$directory"/data.*
    # The agent's reset removes its journal, and a reboot may interrupt it.
    [ ! -s "$state/journal.jsonl" ] || { mkdir -p "$directory/journal" && sync "$directory"; }
    record_address
    reset_programs
  } >"$directory/reset.log" 2>&1 </dev/null 8>&-
  code=$? network=''
  [ "$code" != 0 ] || network=$(reset_network 2>>"$directory/reset.log" </dev/null 8>&-)
  left=$(unclean)
  left=${left:-${network%%[!a-z]*}}
  lock || exit 1
  if [ "$code" != 0 ]; then
    echo "ResetFailed $code" | replace "$directory/released"
  elif [ "$left" ]; then
    echo "NotClean $left" | replace "$directory/released"
  elif irreversible; then
    echo "NotClean data" | replace "$directory/released"
  elif [ "$(free)" -lt "$space" ]; then
    echo "DiskFull disk" | replace "$directory/released"
  else
    forget
  fi
}

# reset_programs reverts what the machine did. Cluster API has decided that the machine goes: it may have removed the
# etcd member, or given up the cluster. So a machine that cannot leave etcd is reset without the consent of the other
# members (ADR 0056). The agent reports this with the words "leave etcd (". After another failure, the members were
# perhaps not asked.
reset_programs() {
  if command -v machineadm; then
    machineadm reset --yes || {
      code=$?
      command -v kubeadm && grep -Fq 'leave etcd (' "$directory/reset.log" || return "$code"
      kubeadm reset --force && machineadm reset --yes || return
    }
  fi
  case $(unclean) in
    '' | cni) ;;
    *) ! command -v kubeadm || kubeadm reset --force ;;
  esac
}

# reset_network restores the configuration of network plugins, and removes their links and the virtual IP: a token of
# the cluster must not remain, and a bridge with an address of another cluster prevents all Pods. It prints what
# remains, as a word. The kernel accepts the removal of tunl0 and keeps the link; its routes end when it is down.
reset_network() {
  for folder in $plugin; do
    [ ! -d "$folder" ] || reset_folder "$folder" || echo cni
  done
  reset_address
  rm -f /run/flannel/subnet.env /var/lib/calico/nodename
  for link in /sys/class/net/cni0 /sys/class/net/flannel.* /sys/class/net/flannel-v6.* /sys/class/net/vxlan.calico \
    /sys/class/net/vxlan-v6.calico /sys/class/net/tunl0 /sys/class/net/cilium_* /sys/class/net/kube-bridge \
    /sys/class/net/kube-ipvs0; do
    [ -e "$link" ] || continue
    link=${link##*/}
    ! grep -Fqx "$link" "$directory/network/links" || continue
    ip link delete "$link" >&2
    [ ! -e "/sys/class/net/$link" ] || { ip address flush dev "$link" && ip link set "$link" down; } >&2 || echo links
  done
}

# record_address records the virtual IP of the machine, because the reset removes the manifest of kube-vip. The manifest
# is JSON if machineadm wrote it, and otherwise perhaps YAML.
record_address() {
  [ -e "$manifest" ] || return 0
  tr -d '[:space:]"' <"$manifest" | sed -n 's/.*name:address,\{0,1\}value:\([0-9a-fA-F.:]*\).*/\1/p' |
    replace "$directory/address"
}

# reset_address removes the virtual IP: kube-vip leaves it on its interface when it is killed. The host would answer for
# the address, and reach only itself at the endpoint of a cluster that has it. kube-vip adds the address with the length
# of a single host, which an address of the host itself usually does not have.
reset_address() {
  [ -s "$directory/address" ] || return 0
  ip -o address show to "$(cat "$directory/address")" | while read -r _ link _ prefix _; do
    case $prefix in
      */32 | */128) ip address delete "$prefix" dev "$link" >&2 || echo address ;;
    esac
  done
}

# reset_folder FOLDER restores a folder of network plugins. The folder itself remains: containerd watches it, and ends
# when it is removed. Without a record, an earlier version of this program started the run.
reset_folder() {
  copy=$directory/network/${1##*/}
  if [ -d "$directory/network" ]; then
    find "$1" -mindepth 1 -maxdepth 1 -exec rm -rf {} +
    removed=$?
    { [ ! -d "$copy" ] || cp -a "$copy/." "$1/"; } && return $removed
  else
    find "$1" -mindepth 1 ! -type d -newer "$directory/started" -exec rm -f {} +
  fi
}

# irreversible succeeds if the data ended with 0 and without the agent: nothing reverts the users, keys and files that
# it left, and a reboot removes the sentinel.
irreversible() {
  [ ! -e "$directory/journal" ] && [ -e "$directory/result" ] && read -r outcome code <"$directory/result" &&
    [ "$outcome" != failed ]
}

# stop ends the run with all of its processes, and an agent that resumes it.
stop() {
  if [ -d /run/systemd/system ]; then
    systemctl stop "machineadm-host-$id-run.service" "${resume##*/}"
  fi
  held "$directory/lock" || return 0
  group=$(cat "$directory/pid")
  kill -s TERM -- "-$group"
  tries=0
  while kill -s 0 -- "-$group"; do
    [ "$tries" -lt 100 ] || kill -s KILL -- "-$group"
    sleep 0.1
    tries=$((tries + 1))
  done
}

session() {
  operation='' id='' format='' sha256='' agents=''
  while read -r name word; do
    case $name in
      operation) operation=$word ;;
      id) id=$word ;;
      format) format=$word ;;
      sha256) sha256=$word ;;
      agents) agents=$word ;;
      *) break ;;
    esac
  done
  [ "$name" = end ] || exit 1
  directory=$root/$id
  for tool in base64 cut df env find flock grep head sed setsid sha256sum sync tail timeout tr; do
    command -v "$tool" >/dev/null || fail HostUnsupported "$tool"
  done
  case $operation in
    probe) probe ;;
    claim) claim ;;
    boot) boot ;;
    observe) observe ;;
    release) release ;;
  esac
  finish
}

if [ $# = 2 ]; then
  id=$2
  directory=$root/$id
  program=''
  case $1 in
    run) run ;;
    reset) reset ;;
  esac
else
  session
fi
