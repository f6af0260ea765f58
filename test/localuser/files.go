//go:build linux

package localuser

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/canary"
)

// User is the user that Files needs; its home is /home/ada.
const User = "ada"

// Secret is the content of each of the private Files.
const Secret = "key: " + canary.Mark + "\n"

// Existing is the content that the files /etc/app/added, /etc/app/open and /home/ada/added must have, for everybody to
// read, before Files are written. The last belongs to User.
const Existing = "old\n"

// Files returns the control file, and a private file of each kind: of root and of others, by its mode and by its
// content, in new directories and in a home, added to an existing file and in place of one.
func Files() []machine.File {
	secret := document.Text(Secret)
	return []machine.File{
		{Path: "/etc/app/control", Content: document.Text(Control)},
		{Path: "/etc/machineadm/machineadm_config.yaml", Content: secret, Secret: true},
		{Path: "/etc/machineadm/kubeadm.yaml", Content: secret, Secret: true},
		{Path: "/etc/machineadm/proxy.env", Content: document.Text("# " + Secret), Secret: true},
		{Path: "/etc/kubernetes/pki/ca.key", Content: secret, Secret: true},
		{Path: "/etc/kubernetes/pki/etcd/.ca.key", Content: secret, Mode: 0o600},
		{Path: "/etc/app/group", Content: secret, Mode: 0o640, Owner: machine.Owner{Group: "adm"}},
		{Path: "/etc/app/open", Content: secret, Mode: 0o400},
		{Path: "/etc/app/added", Content: secret, Mode: 0o600, Secret: true, Append: true},
		{Path: "/home/ada/key", Content: secret, Secret: true, Owner: machine.Owner{User: User}},
		{Path: "/home/ada/added", Content: secret, Mode: 0o600, Append: true, Owner: machine.Owner{User: User}},
	}
}

// Paths returns where Files and the program are, as at returns it for a path of the machine.
func Paths(at func(string) string) []string {
	paths := []string{at("/etc/machineadm/bootstrap")}
	for _, f := range Files() {
		paths = append(paths, at(f.Path))
	}
	return paths
}

// Folders returns the folders below which files of the machine are private, as at returns it for a path of the machine.
func Folders(at func(string) string) []string {
	var folders []string
	for _, name := range []string{
		"/etc/machineadm", "/etc/kubernetes", "/etc/app", "/root", "/home/ada", "/var/lib/machineadm", "/var/log",
		"/run/machineadm",
	} {
		folders = append(folders, at(name))
	}
	return folders
}

// Arrived returns the content that each private file must have in the end, by its path. The agent and the program
// remove those of their own when they are done.
func Arrived() map[string]string {
	return map[string]string{
		"/etc/kubernetes/pki/ca.key": Secret, "/etc/kubernetes/pki/etcd/.ca.key": Secret, "/etc/app/group": Secret,
		"/etc/app/open":  Secret,
		"/etc/app/added": Existing + Secret, "/home/ada/key": Secret, "/home/ada/added": Existing + Secret,
	}
}

// Reset is a shell script that takes away what an earlier run left.
const Reset = `rm -rf /etc/machineadm /etc/kubernetes /etc/app /var/lib/machineadm /run/cluster-api \
  /root/.machineadm /home/ada
mkdir -p /etc/app /home/ada && for f in /etc/app/added /etc/app/open /home/ada/added; do echo old >$f; done
id -u ada >/dev/null 2>&1 || useradd -M ada
chown -R ada:ada /home/ada
`
