package portstest

import (
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

// Secret texts of the samples: no finding may repeat them.
const (
	secretContent  = "conformance-secret-content"
	secretHash     = "$6$conformance$secrethash"
	secretToken    = "confor.mancemancemance1"
	secretPassword = "conformance-secret-password"
)

func secrets() []string {
	return []string{secretContent, secretHash, "mancemancemance1", secretPassword, secretKey}
}

const (
	sha256Digest = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
	linuxData    = "0FC63DAF-8483-4772-8E79-3D69D8477DE4"
	sshKey       = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw conformance"
)

// Actions returns samples of every operation, for a target of a renderer's own operating system. An operation without
// samples is listed under its name with a nil operation, so that the suite detects it.
func Actions(t osprofile.Target) []Sample {
	var all []Sample
	for _, op := range action.All() {
		all = append(all, named(strings.TrimPrefix(fmt.Sprintf("%T", op), "action."), samplesOf(op, t)...)...)
	}
	return all
}

func samplesOf(op action.Operation, t osprofile.Target) []Sample {
	switch op.(type) {
	case action.WriteFile:
		return files(t)
	case action.MakeDirectory, action.Link, action.FetchFile:
		return places(op, t)
	case action.EnsureGroup, action.EnsureUser:
		return accounts(op)
	case action.EnsureUnit:
		return units()
	case action.PartitionDisk, action.MakeFilesystem, action.MountFilesystem, action.EnableSwap:
		return disks(op)
	case action.InstallPackages:
		p := machine.PackagesConfig{Install: []string{"conformance-package"}}
		return []Sample{{
			Do: action.InstallPackages{PackagesConfig: p}, Document: p,
			Expected: literals("conformance-package"),
		}}
	case action.ConfigureHost, action.JoinDomain:
		return hosts(op)
	case action.RunCommand:
		return commands()
	default:
		return []Sample{{}}
	}
}

func files(t osprofile.Target) []Sample {
	at, spelt := path(t, "/etc/conformance.conf")
	of := func(name string, f machine.File, holds ...Spellings) Sample {
		f.Path = at
		return Sample{Name: name, Do: action.WriteFile{File: f}, Document: f, Expected: append(holds, spelt)}
	}
	content := document.Text("conformance content\n")
	return []Sample{
		of("", machine.File{Content: content}, literals("conformance content")...),
		of("mode", machine.File{Content: content, Mode: 0o641}, Spellings{"0641", "641", "417"},
			Spellings{"conformance content"}),
		of("owner", machine.File{Content: content, Owner: machine.Owner{User: "conformer", Group: "conformers"}},
			literals("conformer", "conformers")...),
		of("append", machine.File{Content: content, Append: true}, literals("conformance content")...),
		of("secret", machine.File{Content: document.Text(secretContent), Secret: true}, Spellings{secretContent},
			Spellings{"0600", "600", "384", "-File '" + at + "' $true"}),
		of("fact", machine.File{Content: document.Join(document.Text("conformance before "),
			document.FromFact(document.FactHostname))}, literals("conformance before")...),
	}
}

func places(op action.Operation, t osprofile.Target) []Sample {
	at, spelt := path(t, "/opt/conformance/place")
	switch op.(type) {
	case action.MakeDirectory:
		d := action.MakeDirectory{Path: at, Mode: 0o751, Owner: machine.Owner{User: "conformer"}}
		evidence := []Spellings{spelt, {"0751", "751", "489"}, {"conformer"}}
		return []Sample{{Do: d, Document: machine.Directory(d), Expected: evidence}}
	case action.Link:
		target, speltTarget := path(t, "/srv/conformance-target")
		l := action.Link{Path: at, Target: target}
		return []Sample{{Do: l, Document: machine.Link(l), Expected: []Spellings{spelt, speltTarget}}}
	default:
		f := action.FetchFile{Path: at, URL: "https://conformance.example/file", SHA256: sha256Digest, Mode: 0o755}
		return []Sample{{Do: f, Expected: []Spellings{spelt, {f.URL}, {sha256Digest, strings.ToUpper(sha256Digest)}}}}
	}
}

func accounts(op action.Operation) []Sample {
	id := 4711
	if _, group := op.(action.EnsureGroup); group {
		g, numbered := machine.Group{Name: "conformers"}, machine.Group{Name: "conformers", GID: &id}
		return []Sample{
			{Do: action.EnsureGroup{Group: g}, Document: g, Expected: literals("conformers")},
			{
				Name: "number", Do: action.EnsureGroup{Group: numbered}, Document: numbered,
				Expected: literals("conformers", "4711"),
			},
		}
	}
	of := func(name string, u machine.User, holds ...string) Sample {
		u.Name = "conformer"
		return Sample{
			Name: name, Do: action.EnsureUser{User: u}, Document: u,
			Expected: literals(append(holds, "conformer")...),
		}
	}
	return []Sample{
		of("", machine.User{}),
		of("number", machine.User{UID: &id}, "4711"),
		of("comment", machine.User{Comment: "Conformance Comment"}, "Conformance Comment"),
		of("groups", machine.User{PrimaryGroup: "primaries", Groups: []string{"adm"}}, "primaries", "adm"),
		of("home and shell", machine.User{Home: "/srv/conformance-home", Shell: "/bin/conformance-shell"},
			"/srv/conformance-home", "/bin/conformance-shell"),
		of("SSH key", machine.User{SSHAuthorizedKeys: []string{sshKey}}, sshKey),
		of("sudo", machine.User{Sudo: "ALL=(ALL) NOPASSWD:ALL"}, "ALL=(ALL) NOPASSWD:ALL"),
		of("password", machine.User{PasswordHash: secret.FromString(secretHash), Unlocked: true}, secretHash),
	}
}

func units() []Sample {
	yes, no := true, false
	of := func(name string, u machine.Unit, holds ...Spellings) Sample {
		u.Name = "conformance.service"
		return Sample{
			Name: name, Do: action.EnsureUnit{Unit: u}, Document: u,
			Expected: append(holds, Spellings{"conformance.service", "-Name 'conformance'"}),
		}
	}
	text := document.Text("[Service]\nExecStart=/bin/echo conformance-unit\n[Install]\nWantedBy=multi-user.target\n")
	dropIn := machine.DropIn{Name: "10-conformance.conf", Content: document.Text("[Service]\nRestartSec=4711\n")}
	return []Sample{
		of("own text", machine.Unit{Content: text, Enabled: &yes}, Spellings{"/bin/echo conformance-unit"},
			Spellings{"enable"}),
		of("drop-in", machine.Unit{DropIns: []machine.DropIn{dropIn}}, Spellings{"10-conformance.conf"},
			Spellings{"RestartSec=4711"}),
		of("disabled", machine.Unit{Enabled: &no}, Spellings{
			"disable", "-StartupType Disabled", "enabled\nfalse",
			`"enabled":false`, "enabled: false",
		}),
		of("masked", machine.Unit{Masked: true}, Spellings{"mask", "-StartupType Disabled"}),
	}
}

func disks(op action.Operation) []Sample {
	switch op.(type) {
	case action.PartitionDisk:
		d := machine.Disk{Device: "/dev/vdq", Partitions: []machine.Partition{{
			Label: "conformance", SizeMiB: 4711,
			TypeGUID: linuxData,
		}}}
		return []Sample{{Do: action.PartitionDisk{Disk: d}, Document: d, Expected: []Spellings{
			{"/dev/vdq"}, {"conformance"}, {"4711", "9648128", "4939841536"}, {linuxData, strings.ToLower(linuxData)},
		}}}
	case action.MakeFilesystem:
		f := machine.Filesystem{Device: "/dev/vdq1", Format: "ext4", Label: "conforming", Options: []string{"-m4"}}
		return []Sample{{Do: action.MakeFilesystem{Filesystem: f}, Document: f, Expected: literals("/dev/vdq1", "ext4",
			"conforming", "-m4")}}
	case action.MountFilesystem:
		m := machine.Mount{Source: "/dev/vdq1", Path: "/srv/conformance", Type: "ext4", Options: []string{"noatime"}}
		return []Sample{{Do: action.MountFilesystem{Mount: m}, Document: m, Expected: literals("/dev/vdq1",
			"/srv/conformance",
			"ext4", "noatime")}}
	default:
		file, device := machine.Swap{Path: "/var/conformance.swap", SizeMiB: 4711}, machine.Swap{Device: "/dev/vdq"}
		return []Sample{
			{
				Name: "file", Do: action.EnableSwap{Swap: file}, Document: file,
				Expected: literals("/var/conformance.swap", "4711"),
			},
			{Name: "device", Do: action.EnableSwap{Swap: device}, Document: device, Expected: literals("/dev/vdq")},
		}
	}
}

func hosts(op action.Operation) []Sample {
	if _, join := op.(action.JoinDomain); join {
		account := machine.DomainJoin{
			Domain: "directory.conformance.example", Username: "conformer", Password: secret.FromString(secretPassword),
			OrganizationalUnit: "OU=Conformance",
		}
		offline := machine.DomainJoin{ProvisioningData: secret.FromString(secretKey)}
		return []Sample{
			{
				Name: "account", Do: action.JoinDomain{DomainJoin: account}, Document: account,
				Expected: literals("directory.conformance.example", "conformer", secretPassword, "OU=Conformance"),
			},
			{Name: "offline", Do: action.JoinDomain{DomainJoin: offline}, Document: offline, Expected: literals(secretKey)},
		}
	}
	of := func(name string, c machine.HostConfig, holds ...Spellings) Sample {
		return Sample{Name: name, Do: action.ConfigureHost{HostConfig: c}, Document: c, Expected: holds}
	}
	return []Sample{
		of("name", machine.HostConfig{Hostname: "conformer"}, Spellings{"conformer"}),
		of("time zone", machine.HostConfig{TimeZone: "Europe/Berlin"}, Spellings{"Europe/Berlin", "W. Europe Standard Time"}),
		of("language", machine.HostConfig{Locale: "de-DE"}, Spellings{"de-DE", "de_DE"}),
	}
}

func commands() []Sample {
	var all []Sample
	for _, phase := range []document.Phase{
		document.PhaseTrust, document.PhaseBoot, document.PhasePre, document.PhaseJoin,
		document.PhasePost,
	} {
		script := "conformance-program --phase " + phase.String()
		all = append(all, Sample{
			Name: phase.String(), Do: action.RunCommand{Name: "conformance", Script: script, When: phase},
			Document: machine.Command{Phase: phase, Script: script}, Expected: literals(script),
		})
	}
	return all
}
