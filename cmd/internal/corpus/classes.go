package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/cmd/internal/corpus/meaning"
)

// difference is a difference and the reason why it does not matter, or an empty reason.
type difference struct {
	meaning.Difference

	Reason string `json:",omitempty"`
}

// rule explains differences.
type rule struct {
	place  string
	holds  func(theirs, ours string) bool
	reason string
}

// classify returns the difference with the reason of the first rule that explains it.
func classify(d meaning.Difference) difference {
	for _, r := range rules() {
		if regexp.MustCompile(r.place).MatchString(d.Place) && r.holds(d.Theirs, d.Ours) {
			return difference{d, r.reason}
		}
	}
	return difference{Difference: d}
}

func always(string, string) bool { return true }

func onlyTheirs(_, ours string) bool { return ours == "" }

// rules returns the reasons why a difference has no effect. The first rule that holds decides.
func rules() []rule {
	return slices.Concat(fileRules(), kubeadmRules(), commandRules(), kubeVIPRules())
}

func fileRules() []rule {
	return []rule{
		{`^files\[.*\]\.content$`, sameLines, "the kubeadm provider ends each file with a line break"},
		{
			`^files\[/etc/kubernetes/pki/.*\.(crt|pub)\]\.mode$`, always,
			"certificates and public keys have the modes of kubeadm",
		},
		{
			`^files\[(/etc/kubernetes/pki/etcd/ca\.key)?\]\.`,
			func(theirs, ours string) bool { return theirs == "" || ours == "" },
			"the kubeadm provider writes the key of an external etcd's CA to an empty path",
		},
		{
			`^units\[kubeadm\.service\]\.dropIns`, orders,
			"commands start the services that the drop-in requires, and facts replace its environment",
		},
		{
			`^units\[kubeadm\.service\]\.dropIns`, ordersAndLogs,
			"also, the output of kubeadm is in the journal and in no file of its own",
		},
		{
			`^disks\[.*\]\.tableType$`, func(theirs, ours string) bool { return theirs == "" && ours == "mbr" },
			"mbr is cloud-init's default",
		},
		{
			`^filesystems\[/dev/disk/cloud/azure_resource.*\]\.(replaceFS|wipe)$`, always,
			"the temporary disk of Azure is formatted anew, whatever it contains",
		},
	}
}

func sameLines(theirs, ours string) bool {
	return strings.TrimRight(theirs, "\n") == strings.TrimRight(ours, "\n")
}

// orders reports whether the drop-in only orders the unit and reads an environment file.
func orders(theirs, ours string) bool {
	return ours == "" && hasOnly(theirs, "", "[Unit]", "[Service]", "After", "Requires", "Wants", "EnvironmentFile")
}

// ordersAndLogs reports whether the drop-in writes the output to a file, and does what orders permits.
func ordersAndLogs(theirs, ours string) bool {
	return ours == "" && hasOnly(theirs, "", "[Unit]", "[Service]", "After", "Requires", "Wants", "EnvironmentFile",
		"StandardOutput", "StandardError")
}

// hasOnly reports whether the lines of a unit have only these keys.
func hasOnly(unit string, keys ...string) bool {
	for line := range strings.SplitSeq(unit, "\n") {
		key, _, _ := strings.Cut(strings.TrimSpace(line), "=")
		if !slices.Contains(keys, key) && !strings.HasPrefix(key, "#") {
			return false
		}
	}
	return true
}

// sameWords reports whether systemd makes the same words of both texts.
func sameWords(theirs, ours string) bool {
	quotes := strings.NewReplacer("'", "", `"`, "")
	return ours != "" && quotes.Replace(theirs) == quotes.Replace(ours) && !strings.ContainsAny(theirs, " \t")
}

func kubeadmRules() []rule {
	return []rule{
		{
			`nodeRegistration\.criSocket$`,
			func(theirs, ours string) bool { return theirs == "" && strings.Contains(ours, "containerd") },
			"the operating system has one runtime, whose socket kubeadm finds",
		},
		{`kubeletExtraArgs\[.*\]\.value$`, sameWords, "systemd removes the quotes when it splits kubelet's arguments"},
		{
			`kubeletExtraArgs\[provider-id\]\.(name|value)$`,
			func(theirs, ours string) bool {
				return theirs == "" && (ours == "provider-id" || strings.HasSuffix(ours, "://<instanceID>"))
			},
			"the cloud controller gives this ID to nodes that register without one",
		},
		{
			`nodeRegistration\.ignorePreflightErrors\[`, func(theirs, _ string) bool { return theirs == "" },
			"a machine that passes the check does not need to ignore it",
		},
		{`discovery\.(bootstrapToken\.token|tlsBootstrapToken)$`, always, "each machine has its own token"},
		{
			`localAPIEndpoint\.bindPort$`, func(theirs, ours string) bool { return theirs+ours == "6443" },
			"6443 is kubeadm's default",
		},
		{
			`^kubeadm\.ClusterConfiguration\.proxy\.disabled$|skipPhases`,
			func(theirs, ours string) bool { return theirs+ours == "true" || theirs == "addon/kube-proxy" },
			"a field disables kube-proxy in place of the phase",
		},
	}
}

func commandRules() []rule {
	named := func(names ...string) func(string, string) bool {
		return func(theirs, ours string) bool { return slices.Contains(names, theirs+ours) }
	}
	return []rule{
		{
			`^commands\.`, func(theirs, ours string) bool {
				return theirs == "" && regexp.MustCompile(`^systemctl start [a-z.@ -]+\.service$`).MatchString(ours)
			},
			"the drop-in for kubeadm.service requires these services",
		},
		{
			`^commands\.`,
			named(`hostnamectl set-hostname "<hostname>"`, `hostname "<hostname>"`, `echo "<hostname>" >/etc/hostname`),
			"the machine has this name already",
		},
		{
			`^commands\.`, func(theirs, ours string) bool {
				return ours == "" && regexp.MustCompile(`^export COREOS_[A-Z0-9_]+=<[^>]*>$`).MatchString(theirs)
			},
			"only kubeadm's configuration used the variable, and contains the fact",
		},
		{
			`^commands\.`, func(theirs, ours string) bool { return theirs == "" && ours == "set -e" },
			"one shell runs commands that need each other, and stops at the first failure",
		},
	}
}

func kubeVIPRules() []rule {
	return []rule{
		{
			`^commands\.`, func(theirs, ours string) bool { return ours == "" && strings.Contains(theirs, "kube-vip") },
			"spec.controlPlane.virtualIP does what the script is for",
		},
		{`^files\[[^]]*kube-vip[^]]*\]`, onlyTheirs, "spec.controlPlane.virtualIP does what the file is for"},
		{
			`^kubeVIP\[(prometheus_server|vip_leasename|port|cp_namespace|vip_ddns|vip_cidr|vip_subnet)\]$`,
			func(theirs, ours string) bool { return theirs == "" || ours == "" },
			"kube-vip's default is another form of the same",
		},
		{
			`^kubeVIP\[vip_(leaseduration|renewdeadline|retryperiod)\]$`, always,
			"spec.controlPlane.virtualIP has the times of kube-vip's own manifest",
		},
	}
}
