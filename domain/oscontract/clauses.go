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

// Clauses returns all clauses in the order in which they are told.
func Clauses() []Clause {
	return append(append(base(), machinery()...), node()...)
}

func base() []Clause {
	return []Clause{
		{
			OperatingSystem, Required, "os-release(5) says in `ID` or `ID_LIKE` a distribution that machineadm has a profile of",
			"directories, the trust store and packages follow from the profile",
			"name in ID_LIKE of /etc/os-release the distribution that it is like",
		},
		{Shell, Required, "`/bin/sh` is a POSIX shell", "commands of a configuration and the bootstrap program run in it", "install a shell, such as dash"},
		{Systemd, Required, "systemd is the first process, and `systemctl` is there", "units are written, enabled and restarted with it", "install systemd and systemctl"},
		{
			FirstBoot, Required, "cloud-init, Ignition, or an enabled unit that starts `machineadm apply`",
			"something has to bring the userdata onto the machine and start the bootstrap",
			"install cloud-init or Ignition, or enable a unit such as that in docs/os-contract.md",
		},
		{
			Agent, Recommended, "`/usr/bin/machineadm` is a program of root's that others cannot write", "an agent in the image needs no network to come there",
			"install the agent there with the mode 0755, or have userdata fetch it with spec.delivery.agent",
		},
		{
			Download, Recommended, "`curl` or `wget`", "the bootstrap program of userdata fetches with it what the image lacks, the agent too",
			"install curl, or have all that is fetched in the image",
		},
		{
			Owners, Required, "the directories above the agent, its configuration, its state and its plugins belong to root, and nobody else may write them",
			"what runs as root must not be another's to replace", "chown root and chmod go-w",
		},
		{
			State, Required, "`/var/lib` is a directory that can be written and outlives a reboot", "the journal, the status and the marker of success stand there",
			"keep /var on a disk",
		},
		{Run, Required, "`/run` is a directory that a reboot clears", "the sentinel of success must not outlive the boot that it tells of", "mount a tmpfs on /run, as systemd does"},
	}
}

func machinery() []Clause {
	return []Clause{
		{Accounts, Required, "`groupadd`, `useradd`, `usermod` and `chpasswd`", "groups and users are made with them", "install the package passwd or shadow-utils"},
		{Mounts, Required, "`mount`, `blkid` and `swapoff`", "file systems are found and mounted with them", "install util-linux"},
		{
			Disks, Recommended, "`sfdisk`, `wipefs`, `mkfs.ext4` and `mkswap`", "disks of a configuration are made with them",
			"install fdisk, util-linux and e2fsprogs, or write no disks",
		},
		{Kernel, Required, "`modprobe` and `sysctl`", "a node needs modules and kernel settings", "install kmod and procps"},
		{Network, Required, "`network-online.target`", "a join waits for the network behind it", "install systemd's units, and a service that the target waits for"},
		{Labels, Required, "where SELinux is enforced, `matchpathcon`", "files get the label that the policy has for their path", "install libselinux-utils"},
		{Trust, Recommended, "the directory and the program of the profile's trust store", "certificates of a configuration are added with them", "install ca-certificates"},
	}
}

func node() []Clause {
	return []Clause{
		{Runtime, Recommended, "`containerd` or `crio`, and its unit", "kubelet runs containers with it", "install one, or have spec.machine bring it"},
		{
			Kubernetes, Recommended, "`kubeadm` and `kubelet`, and `kubelet.service`", "a machine joins with them",
			"install them, or have spec.machine.kubernetes bring them",
		},
		{Time, Recommended, "one of systemd-timesyncd, chronyd and ntpd, and only one", "certificates need a clock that is right", "install one time daemon, and remove the others"},
		{NoSwap, Recommended, "no swap space in `/etc/fstab`", "kubelet refuses to run with it", "remove the line, or give kubelet failSwapOn: false"},
		{
			Unused, Required, "an image has no trace of a machine: no configuration and no record of machineadm, nothing of a kubelet's",
			"a machine would take itself for one that is complete, and its secrets would be everybody's", "remove the files before the image is made",
		},
		{
			Identity, Recommended, "an image has no `/etc/machine-id` of its own", "machines with one identity get one address and one name in logs",
			"truncate /etc/machine-id before the image is made",
		},
	}
}
