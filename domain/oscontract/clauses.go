package oscontract

// The names of the clauses.
const (
	OperatingSystem = "OperatingSystem"
	Shell           = "Shell"
	Systemd         = "Systemd"
	FirstBoot       = "FirstBoot"
	Agent           = "Agent"
	Download        = "Download"
	Owners          = "Owners"
	State           = "State"
	Run             = "Run"
	Accounts        = "Accounts"
	Mounts          = "Mounts"
	Disks           = "Disks"
	Kernel          = "Kernel"
	Network         = "Network"
	Labels          = "Labels"
	Trust           = "Trust"
	Runtime         = "ContainerRuntime"
	Kubernetes      = "Kubernetes"
	Time            = "TimeSync"
	NoSwap          = "NoSwap"
	Unused          = "Unused"
	Identity        = "Identity"
)

// Clauses returns all clauses in the order of the report.
func Clauses() []Clause {
	return append(append(base(), machinery()...), node()...)
}

func base() []Clause {
	return []Clause{
		{
			OperatingSystem, Required,
			"`ID` or `ID_LIKE` of os-release(5) names a distribution that machineadm has a profile for",
			"the profile determines directories, the trust store and packages",
			"set ID_LIKE in /etc/os-release to a similar distribution",
		},
		{
			Shell, Required, "`/bin/sh` is a POSIX shell",
			"it runs the commands of a configuration and the bootstrap program", "install a shell, such as dash",
		},
		{
			Systemd, Required, "systemd is the first process, and `systemctl` is installed",
			"units are written, enabled and restarted with it", "install systemd and systemctl",
		},
		{
			FirstBoot, Required, "cloud-init, Ignition, or an enabled unit that starts `machineadm apply`",
			"a first-boot program must write the userdata to the machine and start the bootstrap",
			"install cloud-init or Ignition, or enable a unit like the one in docs/os-contract.md",
		},
		{
			Agent, Recommended, "root owns the program `/usr/bin/machineadm`, and other users cannot write it",
			"an agent in the image does not have to be fetched",
			"install the agent there with mode 0755, or fetch it by userdata with spec.delivery.agent",
		},
		{
			Download, Recommended, "`curl` or `wget`",
			"the bootstrap program of userdata fetches with it what the image lacks, including the agent",
			"install curl, or add everything that is fetched to the image",
		},
		{
			Owners, Required,
			"root owns the directories above the agent, its configuration, state and plugins, and no other user can write them",
			"other users must not be able to replace programs that run as root", "chown root and chmod go-w",
		},
		{
			State, Required, "`/var/lib` is a writable directory that survives a reboot",
			"it contains the journal, the status and the success marker", "keep /var on a disk",
		},
		{
			Run, Required, "`/run` is a directory that a reboot clears",
			"the success sentinel is valid for one boot only", "mount a tmpfs on /run, as systemd does",
		},
	}
}

func machinery() []Clause {
	return []Clause{
		{
			Accounts, Required, "`groupadd`, `useradd`, `usermod` and `chpasswd`", "they create groups and users",
			"install the package passwd or shadow-utils",
		},
		{
			Mounts, Required, "`mount`, `blkid` and `swapoff`", "they find and mount file systems",
			"install util-linux",
		},
		{
			Disks, Recommended, "`sfdisk`, `wipefs`, `mkfs.ext4` and `mkswap`",
			"they set up the disks of a configuration",
			"install fdisk, util-linux and e2fsprogs, or configure no disks",
		},
		{
			Kernel, Required, "`modprobe` and `sysctl`", "a node needs modules and kernel settings",
			"install kmod and procps",
		},
		{
			Network, Required, "`network-online.target`", "a join waits for this target",
			"install systemd's units, and a service that the target waits for",
		},
		{
			Labels, Required, "where SELinux is enforced, `matchpathcon`",
			"files get the label that the policy defines for their path", "install libselinux-utils",
		},
		{
			Trust, Recommended, "the directory and the program of the profile's trust store",
			"they add the certificates of a configuration", "install ca-certificates",
		},
	}
}

func node() []Clause {
	return []Clause{
		{
			Runtime, Recommended, "`containerd` or `crio`, and its unit", "kubelet runs containers with it",
			"install one, or install it with spec.machine",
		},
		{
			Kubernetes, Recommended, "`kubeadm` and `kubelet`, and `kubelet.service`", "they join the machine",
			"install them, or install them with spec.machine.kubernetes",
		},
		{
			Time, Recommended, "one of systemd-timesyncd, chronyd and ntpd, and only one",
			"certificates need a correct clock", "install one time daemon, and remove the others",
		},
		{
			NoSwap, Recommended, "no swap space in `/etc/fstab`", "kubelet refuses to run with it",
			"remove the line, or set failSwapOn: false for kubelet",
		},
		{
			Unused, Required,
			"an image contains no state of a machine: no configuration, no records of machineadm, no state of a kubelet",
			"otherwise the agent treats the new machine as complete, and all machines share its secrets",
			"remove the files before you create the image",
		},
		{
			Identity, Recommended, "an image has no `/etc/machine-id` of its own",
			"machines with the same identity get the same address and the same name in logs",
			"truncate /etc/machine-id before you create the image",
		},
	}
}
