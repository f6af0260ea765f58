package hostile

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// mountCases need a kernel that mounts; they are rendered, and their refusal or rendering is compared.
func mountCases() []Case {
	return []Case{
		refused("mount-alias", "an incumbent writes a YAML alias", machine.Mount{Source: "*foo", Path: "/mnt/a"}),
		refused("mount-space", "fstab ends a field at a blank", machine.Mount{Source: "/dev/a b", Path: "/mnt/a"}),
		refused("mount-option", "an option with a blank", machine.Mount{
			Source: "/dev/vdb", Path: "/mnt/a",
			Options: []string{"ro x"},
		}),
		refused("mount-return", "ends a line of systemd's mount unit", machine.Mount{Source: "/dev/vdb", Path: "/mnt/a\rb"}),
		refused("swap-newline", "ends a line of systemd's swap unit", machine.Swap{Path: "/swap\nfile", SizeMiB: 1}),
		refused("kernel-argument-space", "is two arguments", machine.KernelArguments{ShouldExist: []string{"quiet splash"}}),
		refused("kernel-argument-newline", "ends a line of the boot loader", machine.KernelArguments{
			ShouldExist: []string{"quiet\ninit=/bin/sh"},
		}),
		refused("kernel-argument-quote", "ends a string of GRUB", machine.KernelArguments{
			ShouldExist: []string{`a="`},
		}),
		refused("kernel-argument-variable", "a variable of GRUB", machine.KernelArguments{ShouldExist: []string{"a=$x"}}),
		refused("kernel-argument-dash", "an option of a program", machine.KernelArguments{ShouldNotExist: []string{"--all"}}),
		refused("kernel-argument-empty", "no argument", machine.KernelArguments{ShouldExist: []string{""}}),
		refused("mount-relative", "a relative mount point", machine.Mount{Source: "/dev/vdb", Path: "mnt"}),
		refused("mount-root", "the root itself", machine.Mount{Source: "/dev/vdb", Path: "/"}),
	}
}

// refusedFiles are paths, permissions and owners that no file or directory can have, and targets that no link can have.
func refusedFiles() []Case {
	return []Case{
		refused("path-relative", "a relative path", machine.File{Path: "etc/a"}),
		refused("path-empty", "no path", machine.File{}),
		refused("path-nul", "no file system has it", machine.File{Path: "/etc/a\x00b"}),
		refused("path-parent", "climbs out", machine.File{Path: "/etc/../root/a"}),
		refused("path-double-slash", "not clean", machine.File{Path: "/etc//a"}),
		refused("path-trailing-slash", "a directory", machine.File{Path: "/etc/a/"}),
		refused("path-root", "the root", machine.File{Path: "/"}),
		refused("path-latin1", "no UTF-8: formats are text", machine.File{Path: "/etc/\xe9"}),
		refused("path-too-long", "longer than PATH_MAX", machine.File{Path: "/" + repeat("a/", 2100) + "b"}),
		refused("path-element-too-long", "longer than NAME_MAX", machine.File{Path: "/etc/" + repeat("a", 256)}),
		refused("directory-relative", "a relative path", machine.Directory{Path: "etc/a"}),
		refused("directory-parent", "climbs out", machine.Directory{Path: "/etc/../root/a"}),
		refused("directory-root", "would close the machine", machine.Directory{Path: "/", Mode: 0o700}),
		refused("directory-mode", "no permission", machine.Directory{Path: "/opt/a", Mode: 0o10000}),
		refused("directory-owner", "an option of chown", machine.Directory{Path: "/opt/a", Owner: machine.Owner{User: "-R"}}),
		refused("link-relative", "a relative path", machine.Link{Path: "etc/a", Target: "b"}),
		refused("link-parent", "climbs out", machine.Link{Path: "/etc/../a", Target: "b"}),
		refused("link-empty", "no target", machine.Link{Path: "/etc/a"}),
		refused("link-nul", "no file system has it", machine.Link{Path: "/etc/a", Target: "b\x00c"}),
		refused("link-latin1", "no UTF-8: formats are text", machine.Link{Path: "/etc/a", Target: "\xe9"}),
		refused("link-too-long", "longer than PATH_MAX", machine.Link{Path: "/etc/a", Target: repeat("a/", 2100)}),
		refused("mode-too-large", "no permission", machine.File{Path: "/etc/a", Mode: 0o10000}),
		refused("owner-colon", "two fields", machine.File{Path: "/etc/a", Owner: machine.Owner{User: "a:b"}}),
		refused("owner-option", "an option of chown", machine.File{Path: "/etc/a", Owner: machine.Owner{User: "-R"}}),
	}
}

// refusedAccounts are users and groups that would change the meaning of their databases.
func refusedAccounts() []Case {
	negative := -1
	return []Case{
		refused("user-empty", "no name", machine.User{}),
		refused("user-colon", "ends a field", machine.User{Name: "a:b"}),
		refused("user-newline", "adds a line to the password file", machine.User{Name: "a\nroot2::0:0::/:/bin/sh"}),
		refused("user-dash", "an option of useradd", machine.User{Name: "-D"}),
		refused("user-long", "33 characters", machine.User{Name: repeat("u", 33)}),
		refused("user-id", "a negative identifier", machine.User{Name: "u", UID: &negative}),
		refused("user-gecos-colon", "an incumbent writes invalid YAML; a colon ends the field anyhow",
			machine.User{Name: "u", Comment: "Foo: Bar"}),
		refused("user-gecos-newline", "adds a line", machine.User{Name: "u", Comment: "a\nb"}),
		refused("user-hash-plain", "a plain password", machine.User{Name: "u", PasswordHash: secret.FromString(canary.Mark)}),
		refused("user-hash-colon", "ends a field of shadow",
			machine.User{Name: "u", PasswordHash: secret.FromString("$6$a$" + canary.Mark + ":c")}),
		refused("user-key-newline", "two keys in one", machine.User{Name: "u", SSHAuthorizedKeys: []string{"ssh-ed25519 " +
			"A\nssh-ed25519 B"}}),
		refused("user-sudo-newline", "a second rule", machine.User{Name: "u", Sudo: "ALL=(ALL) ALL\nother ALL=(ALL) ALL"}),
		refused("group-space", "a blank", machine.Group{Name: "a b"}),
	}
}

// refusedPrograms are units, commands and settings that contain more than one.
func refusedPrograms() []Case {
	return []Case{
		refused("unit-no-suffix", "no unit type", machine.Unit{Name: "foo"}),
		refused("unit-slash", "climbs out", machine.Unit{Name: "../foo.service"}),
		refused("unit-space", "a blank", machine.Unit{Name: "a b.service"}),
		refused("unit-nul", "no text", machine.Unit{Name: "a.service", Content: document.Text("\x00")}),
		refused("command-nul", "no shell reads it", machine.Command{Phase: document.PhasePre, Script: "a\x00b"}),
		refused("command-empty", "nothing to run", machine.Command{Phase: document.PhasePre, Script: " \n"}),
		refused("command-phase", "no such phase", machine.Command{Phase: document.PhaseDisk, Script: "true"}),
		refused("sysctl-newline", "a second setting", machine.SysctlConfig{Settings: []machine.Sysctl{{
			Name:  "a.b",
			Value: "1\nc.d=2",
		}}}),
		refused("module-slash", "a path", machine.KernelModulesConfig{Modules: []machine.KernelModule{{Name: "../x"}}}),
		refused("server-newline", "a second directive", machine.TimeSyncConfig{Servers: []string{"a\nallow all"}}),
		refused("proxy-newline", "a second variable", machine.ProxyConfig{HTTPProxy: secret.FromString("http://u:" +
			canary.Mark + "@a:1\nX=y")}),
	}
}

// refusedTrust are certificate authorities, registries and Kubernetes versions that are none.
func refusedTrust() []Case {
	newNode := func(version string) node.NodeConfig {
		return node.NodeConfig{Role: node.RoleInit, KubernetesVersion: version}
	}
	return []Case{
		refused("ca-text", "no certificate", machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{
			Name: "a",
			PEM:  []byte("hello"),
		}}}),
		refused("ca-name", "climbs out", machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{
			Name: "../a",
			PEM:  []byte("hello"),
		}}}),
		refused("registry-path", "a URL as a host",
			machine.ContainerdConfig{Registries: []machine.Registry{{Host: "https://a/../b"}}}),
		refused("version-none", "no version", newNode("")),
		refused("version-no-v", "no v", newNode("1.36.3")),
		refused("version-partial", "no patch level", newNode("v1.36")),
		refused("version-leading-zero", "a leading zero", newNode("v1.036.3")),
		refused("version-injection", "a shell word", newNode("v1.36.3; reboot")),
		refused("version-newline", "a second line", newNode("v1.36.3\n")),
	}
}
