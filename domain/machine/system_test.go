package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

// testCA is an unused certificate, ECDSA P-256.
const testCA = `-----BEGIN CERTIFICATE-----
MIIBejCCAR+gAwIBAgIUbkSTvKQNts8tpvYG4W9csTVU/rUwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGbm9ib2R5MCAXDTI2MTEyMTA1MjA1NVoYDzIxMjYxMDI4MDUy
MDU1WjARMQ8wDQYDVQQDDAZub2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AARVUgQ42jUDPuSAoMEYDuWxzs9BXzvUtZlJODCqDvlr7mAZr+vZLT89rbclEUF6
kbVh6Z+mmPHeqr7Ay2p4eHl/o1MwUTAdBgNVHQ4EFgQUBL2t8Ok4L9NbQ1JTICiC
l2oaxtwwHwYDVR0jBBgwFoAUBL2t8Ok4L9NbQ1JTICiCl2oaxtwwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAliA++y1IVtuZxua1Z7rEtyZhQuXH
vUrCO9Jk3HcZEVgCIQC7Em/PZ4hvLcWzb05Qi97GvRhxK++OKKbMoMQ793d95A==
-----END CERTIFICATE-----
`

func TestStorageCheck(t *testing.T) {
	part := func(p ...machine.Partition) document.Value { return machine.Disk{Device: "/dev/sdb", Partitions: p} }
	mbr := func(p machine.Partition) document.Value {
		return machine.Disk{Device: "/dev/sdb", Table: machine.TableMBR, Partitions: []machine.Partition{p}}
	}
	hold(t, map[string]verdict{
		"disk": {value: part(machine.Partition{Number: 1, SizeMiB: 100, Label: "ünï cødé"},
			machine.Partition{Number: 2})},
		"no device":       {value: machine.Disk{}, want: []string{"device"}},
		"not a device":    {value: machine.Disk{Device: "/var/img"}, want: []string{"device"}},
		"blank in device": {value: machine.Disk{Device: "/dev/disk/by-label/a b"}, want: []string{"device"}},
		"table":           {value: machine.Disk{Device: "/dev/sdb", Table: "bsd"}, want: []string{"tableType"}},
		"twice": {
			value: part(machine.Partition{Number: 1, SizeMiB: 1}, machine.Partition{Number: 1}),
			want:  []string{"partitions[1].number"},
		},
		"numbers of 0": {reason: "0 is the next free one", value: part(machine.Partition{SizeMiB: 1},
			machine.Partition{SizeMiB: 1})},
		"rest, not last": {
			value: part(machine.Partition{}, machine.Partition{SizeMiB: 1}),
			want:  []string{"partitions[0].sizeMiB"},
		},
		"out of range": {value: part(machine.Partition{Number: 129}), want: []string{"partitions[0].number"}},
		"36 letters":   {value: part(machine.Partition{Label: strings.Repeat("ü", 36)})},
		"37 letters": {
			value: part(machine.Partition{Label: strings.Repeat("x", 37)}),
			want:  []string{"partitions[0].label"},
		},
		"19 pairs": {
			reason: "GPT counts UTF-16", value: part(machine.Partition{Label: strings.Repeat("🦊", 19)}),
			want: []string{"partitions[0].label"},
		},
		"newline":    {value: part(machine.Partition{Label: "a\nb"}), want: []string{"partitions[0].label"}},
		"negative":   {value: part(machine.Partition{StartMiB: -1}), want: []string{"partitions[0]"}},
		"guid":       {value: part(machine.Partition{TypeGUID: "0FC63DAF-8483-4772-8E79-3D69D8477DE4"})},
		"no guid":    {value: part(machine.Partition{TypeGUID: "linux"}), want: []string{"partitions[0].typeGUID"}},
		"mbr":        {value: mbr(machine.Partition{Number: 4})},
		"mbr, fifth": {value: mbr(machine.Partition{Number: 5}), want: []string{"partitions[0].number"}},
		"mbr, label": {value: mbr(machine.Partition{Label: "x"}), want: []string{"partitions[0].label"}},
		"mbr, guid": {
			value: mbr(machine.Partition{TypeGUID: "0FC63DAF-8483-4772-8E79-3D69D8477DE4"}),
			want:  []string{"partitions[0].typeGUID"},
		},
		"percent": {value: part(machine.Partition{SizePercent: 60}, machine.Partition{SizePercent: 40})},
		"too large": {
			value: part(machine.Partition{SizePercent: 101}), want: []string{"partitions[0].sizePercent", "partitions"},
		},
		"over the disk": {
			value: part(machine.Partition{SizePercent: 60}, machine.Partition{SizePercent: 41}), want: []string{"partitions"},
		},
		"two sizes": {
			value: part(machine.Partition{SizePercent: 60, SizeMiB: 1}), want: []string{"partitions[0].sizePercent"},
		},
		"own guid": {value: part(machine.Partition{GUID: "0FC63DAF-8483-4772-8E79-3D69D8477DE4"})},
		"guid twice": {
			reason: "case has no meaning",
			value: part(machine.Partition{SizeMiB: 1, GUID: "0FC63DAF-8483-4772-8E79-3D69D8477DE4"},
				machine.Partition{GUID: "0fc63daf-8483-4772-8e79-3d69d8477de4"}),
			want: []string{"partitions[1].guid"},
		},
		"no own guid": {value: part(machine.Partition{GUID: "x"}), want: []string{"partitions[0].guid"}},
		"resize":      {value: part(machine.Partition{Number: 4, Resize: true})},
		"resize nothing": {
			reason: "no partition is identified", value: part(machine.Partition{WipeEntry: true}),
			want: []string{"partitions[0]"},
		},
		"mbr, own guid": {
			value: mbr(machine.Partition{GUID: "0FC63DAF-8483-4772-8E79-3D69D8477DE4"}), want: []string{"partitions[0].guid"},
		},
		"alias":     {value: machine.Disk{Device: "ephemeral0"}},
		"bad alias": {value: machine.Disk{Device: "ephemeral0.x"}, want: []string{"device"}},
		"replace":   {value: machine.Filesystem{Device: "ephemeral0.1", Format: "ext4", ReplaceFS: "ntfs"}},
		"replace the same": {
			reason: "it would be replaced at each run",
			value:  machine.Filesystem{Device: "/dev/sdb1", Format: "ext4", ReplaceFS: "ext4"}, want: []string{"replaceFS"},
		},
		"replace, shell": {
			value: machine.Filesystem{Device: "/dev/sdb1", Format: "ext4", ReplaceFS: "a)b"}, want: []string{"replaceFS"},
		},
		"fields 5 and 6": {value: machine.Mount{Source: "/dev/a", Path: "/a", Dump: 1, Pass: new(1)}},
		"no such fields": {
			value: machine.Mount{Source: "/dev/a", Path: "/a", Dump: 2, Pass: new(3)}, want: []string{"dump", "pass"},
		},
		"filesystem": {value: machine.Filesystem{
			Device: "/dev/sdb1", Format: "ext4", Label: "a b #c",
			Options: []string{"-m", "0"},
		}},
		"format": {value: machine.Filesystem{Device: "/dev/sdb1", Format: "zfs"}, want: []string{"format"}},
		"label, xfs": {
			value: machine.Filesystem{Device: "/dev/sdb1", Format: "xfs", Label: strings.Repeat("x", 13)},
			want:  []string{"label"},
		},
		"option, newline": {
			value: machine.Filesystem{Device: "/dev/sdb1", Format: "xfs", Options: []string{"a\nb"}},
			want:  []string{"options[0]"},
		},
		"mount": {value: machine.Mount{
			Source: "LABEL=a b", Path: "/data with blank/x-y",
			Options: []string{"noatime", "x-systemd.growfs"},
		}},
		"mount, uuid":     {value: machine.Mount{Source: "UUID=1234", Path: "/d"}},
		"mount, asterisk": {value: machine.Mount{Source: "/dev/sdb", Path: "/*foo"}},
		"mount, nothing":  {value: machine.Mount{Source: "LABEL=", Path: "d"}, want: []string{"source", "path"}},
		"mount, options": {
			value: machine.Mount{Source: "/dev/sdb", Path: "/d", Type: "ext 4", Options: []string{"", "a b"}},
			want:  []string{"type", "options[0]", "options[1]"},
		},
		"swap device":     {value: machine.Swap{Device: "/dev/sdc"}},
		"swap file":       {value: machine.Swap{Path: "/var/swap file", SizeMiB: 1}},
		"swap of both":    {value: machine.Swap{Device: "/dev/sdc", Path: "/swap"}, want: []string{"."}},
		"swap of nothing": {value: machine.Swap{}, want: []string{"."}},
		"swap, no size":   {value: machine.Swap{Path: "/swap"}, want: []string{"sizeMiB"}},
	})
}

func TestKernelCheck(t *testing.T) {
	set := func(s ...machine.Sysctl) document.Value { return machine.SysctlConfig{Settings: s} }
	load := func(m ...machine.KernelModule) document.Value { return machine.KernelModulesConfig{Modules: m} }
	hold(t, map[string]verdict{
		"sysctl": {value: set(machine.Sysctl{Name: "net.ipv4.ip_forward", Value: "1"},
			machine.Sysctl{Name: "net/ipv4/conf/eth0.1/forwarding", Value: "1"})},
		"sysctl, list":     {value: set(machine.Sysctl{Name: "net.ipv4.ip_local_port_range", Value: "1024 65000"})},
		"sysctl, glob":     {value: set(machine.Sysctl{Name: "-net.ipv4.conf.*.rp_filter", Value: "0"})},
		"sysctl, one word": {value: set(machine.Sysctl{Name: "forward", Value: "1"}), want: []string{"settings[0].name"}},
		"sysctl, equals":   {value: set(machine.Sysctl{Name: "a.b=1\nc.d", Value: "1"}), want: []string{"settings[0].name"}},
		"sysctl, newline":  {value: set(machine.Sysctl{Name: "a.b", Value: "1\nc.d=1"}), want: []string{"settings[0].value"}},
		"sysctl, empty":    {value: set(machine.Sysctl{Name: "a.b"}), want: []string{"settings[0].value"}},
		"sysctl, twice": {value: set(machine.Sysctl{Name: "net.ipv4.ip_forward", Value: "1"},
			machine.Sysctl{Name: "net/ipv4/ip_forward", Value: "0"}), want: []string{"settings[1]"}},
		"sysctl, VLAN": {
			reason: "the first separator distinguishes eth0.1 from eth0/1",
			value: set(machine.Sysctl{Name: "net.ipv4.conf.eth0/1.forwarding", Value: "1"},
				machine.Sysctl{Name: "net.ipv4.conf.eth0.1.forwarding", Value: "1"}),
		},
		"module":       {value: load(machine.KernelModule{Name: "br_netfilter", Options: []string{"a=1,2", `b="x"`}})},
		"module, path": {value: load(machine.KernelModule{Name: "../x"}), want: []string{"modules[0].name"}},
		"module, newline": {
			value: load(machine.KernelModule{Name: "x\ny", Options: []string{"a\nb"}}),
			want:  []string{"modules[0].name", "modules[0].options[0]"},
		},
		"option, blank": {
			value: load(machine.KernelModule{Name: "x", Options: []string{"a b", ""}}),
			want:  []string{"modules[0].options[0]", "modules[0].options[1]"},
		},
		"option, joins": {
			reason: "modprobe.d(5) goes on in the next line",
			value:  load(machine.KernelModule{Name: "x", Options: []string{`a=\`}}), want: []string{"modules[0].options[0]"},
		},
	})
}

func TestTimeSyncCheck(t *testing.T) {
	from := func(servers ...string) document.Value { return machine.TimeSyncConfig{Servers: servers} }
	hold(t, map[string]verdict{
		"names":        {value: from("ntp.example.org", "0.pool.ntp.org.", "localhost", "a_b.example")},
		"addresses":    {value: from("192.0.2.1", "2001:db8::1", "::1", "fe80::1%eth0")},
		"port":         {reason: "no daemon takes one", value: from("ntp.example.org:123"), want: []string{"servers[0]"}},
		"option":       {value: from("ntp.example.org iburst"), want: []string{"servers[0]"}},
		"newline":      {value: from("a\nb"), want: []string{"servers[0]"}},
		"empty label":  {value: from("a..b"), want: []string{"servers[0]"}},
		"empty":        {value: from(""), want: []string{"servers[0]"}},
		"long":         {value: from(strings.Repeat("a.", 127) + "a"), want: []string{"servers[0]"}},
		"pool":         {value: machine.TimeSyncConfig{Pools: []string{"pool.example"}, Daemon: machine.TimeDaemonChronyd}},
		"pool, bad":    {value: machine.TimeSyncConfig{Pools: []string{"-x"}}, want: []string{"pools[0]"}},
		"nothing":      {value: machine.TimeSyncConfig{}, want: []string{"."}},
		"other daemon": {value: machine.TimeSyncConfig{Daemon: "openntpd", Servers: []string{"a"}}, want: []string{"daemon"}},
		"disabled":     {value: machine.TimeSyncConfig{Enabled: new(false)}},
		"enabled":      {value: machine.TimeSyncConfig{Enabled: new(true)}, want: []string{"."}},
		"disabled, with a daemon": {
			value: machine.TimeSyncConfig{Enabled: new(false), Daemon: machine.TimeDaemonChronyd}, want: []string{"daemon"},
		},
	})
}

// TestServersThatNoDaemonUses are a warning, because a machine without them boots in the same way.
func TestServersThatNoDaemonUses(t *testing.T) {
	c := machine.TimeSyncConfig{Enabled: new(false), Pools: []string{"pool.example"}}
	const want = "warning: at.enabled: no time daemon uses the servers and the pools; remove them, or set enabled to true"
	if got := c.Check("at").String(); got != want {
		t.Errorf("found %q", got)
	}
}

func TestTrustCheck(t *testing.T) {
	ca := func(name, pem string) document.Value {
		return machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: name, PEM: []byte(pem)}}}
	}
	key := "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
	hold(t, map[string]verdict{
		"one":            {value: ca("corp", testCA)},
		"two, commented": {value: ca("corp.2026", "# subject: x\n"+testCA+"\n# y\n"+testCA)},
		"CRLF":           {value: ca("corp", strings.ReplaceAll(testCA, "\n", "\r\n"))},
		"nothing":        {value: ca("corp", ""), want: []string{"trustedCAs[0].content"}},
		"no PEM":         {value: ca("corp", "hello"), want: []string{"trustedCAs[0].content"}},
		"key":            {value: ca("corp", key), want: []string{"trustedCAs[0].content"}},
		"text after":     {value: ca("corp", testCA+"junk"), want: []string{"trustedCAs[0].content"}},
		"garbled": {
			value: ca("corp", strings.Replace(testCA, "MII", "MIJ", 1)),
			want:  []string{"trustedCAs[0].content"},
		},
		"path as name": {value: ca("../corp", testCA), want: []string{"trustedCAs[0].name"}},
		"no name":      {value: ca("", testCA), want: []string{"trustedCAs[0].name"}},
		"twice": {
			reason: "the second file would replace the first",
			value: machine.TrustedCAsConfig{CAs: []machine.TrustedCA{
				{Name: "a", PEM: []byte(testCA)},
				{Name: "a", PEM: []byte(testCA)},
			}},
			want: []string{"trustedCAs[1].name"},
		},
	})
}

func TestProxyCheck(t *testing.T) {
	through := func(s string) document.Value { return machine.ProxyConfig{HTTPProxy: secret.FromString(s)} }
	hold(t, map[string]verdict{
		"address":     {value: through("http://proxy:3128")},
		"credentials": {value: through("http://user:p%40ss$%25%22'@proxy:3128")},
		"socks":       {value: through("socks5://proxy:1080")},
		"no scheme":   {value: through("proxy:3128"), want: []string{"httpProxy"}},
		"blank":       {value: through("http://pro xy"), want: []string{"httpProxy"}},
		"newline":     {value: through("http://proxy\n"), want: []string{"httpProxy"}},
		"https":       {value: machine.ProxyConfig{HTTPSProxy: secret.FromString("ftp://x")}, want: []string{"httpsProxy"}},
		"direct":      {value: machine.ProxyConfig{NoProxy: []string{".svc", "10.0.0.0/8", "*.example"}}},
		"direct, odd": {
			value: machine.ProxyConfig{NoProxy: []string{"a b", ""}},
			want:  []string{"noProxy[0]", "noProxy[1]"},
		},
		"nothing":      {value: machine.ProxyConfig{}},
		"line feed":    {value: machine.ProxyConfig{NoProxy: []string{"a\nb"}}, want: []string{"noProxy[0]"}},
		"no such path": {value: through("http:///x"), want: []string{"httpProxy"}},
	})
}

func TestPackagesCheck(t *testing.T) {
	names := func(names ...string) document.Value { return machine.PackagesConfig{Install: names} }
	hold(t, map[string]verdict{
		"names": {value: names("jq", "libstdc++6", "kubelet=1.36.3-1.1", "nginx/bookworm-backports", "gcc:amd64", "g++",
			"python3.12")},
		"rpm":  {value: names("@development-tools", "kubelet-1.36.3-0.x86_64", "vim*", "kernel-1:6.1~rc1")},
		"task": {value: names("lamp-server^")},
		"option": {
			reason: "the package manager would read it", value: names("--allow-unauthenticated"),
			want: []string{"install[0]"},
		},
		"blank":   {value: names("a b", ""), want: []string{"install[0]", "install[1]"}},
		"command": {value: names("a;reboot", "$(id)", "a\nb"), want: []string{"install[0]", "install[1]", "install[2]"}},
		"updates": {value: machine.OSUpdatesConfig{Enabled: true}},
	})
}

func TestKubernetesCheck(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	from := func(url string) document.Value {
		return machine.KubernetesConfig{
			Provision: machine.ProvisionSysext,
			Artifacts: []machine.Artifact{{Name: "kubernetes", URL: url, SHA256: digest}},
		}
	}
	one := func(a machine.Artifact) document.Value {
		return machine.KubernetesConfig{Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{a}}
	}
	hold(t, map[string]verdict{
		"https":        {value: from("https://mirror.example:8443/k/{version}/kubernetes-{version}-{arch}.raw?x=1&y=%20")},
		"file":         {value: from("file:///opt/x.raw")},
		"s3":           {value: from("s3://bucket/x"), want: []string{"artifacts[0].url"}},
		"file on host": {value: from("file://host/x"), want: []string{"artifacts[0].url"}},
		"blank":        {value: from("https://h/a b"), want: []string{"artifacts[0].url"}},
		"newline":      {value: from("https://h/a\nb"), want: []string{"artifacts[0].url"}},
		"credentials": {
			reason: "they would be in a command's arguments", value: from("https://u:p@h/a"),
			want: []string{"artifacts[0].url"},
		},
		"sha512": {value: one(machine.Artifact{Name: "kubelet", URL: "https://h/a", SHA512: digest + digest})},
		"no digest": {
			reason: "nothing unverified runs", value: one(machine.Artifact{Name: "kubelet", URL: "https://h/a"}),
			want: []string{"artifacts[0]"},
		},
		"short digest": {
			value: one(machine.Artifact{Name: "kubelet", URL: "https://h/a", SHA256: "0a"}),
			want:  []string{"artifacts[0].sha256"},
		},
		"capitals": {value: one(machine.Artifact{
			Name: "kubelet", URL: "https://h/a",
			SHA512: strings.ToUpper(digest + digest),
		}), want: []string{"artifacts[0].sha512"}},
		"path as name": {
			value: one(machine.Artifact{Name: "a/b", URL: "https://h/a", SHA256: digest}),
			want:  []string{"artifacts[0].name"},
		},
		"none":    {value: machine.KubernetesConfig{Provision: machine.ProvisionDownload}, want: []string{"artifacts"}},
		"image":   {value: machine.KubernetesConfig{Provision: machine.ProvisionImage}},
		"unknown": {value: machine.KubernetesConfig{Provision: "Magic"}, want: []string{"provision"}},
		"package": {value: machine.KubernetesConfig{Packages: []string{"kubelet", "-y"}}, want: []string{"packages[1]"}},
		"twice": {
			value: machine.KubernetesConfig{Artifacts: []machine.Artifact{
				{Name: "kubelet", URL: "https://h/a", SHA256: digest}, {Name: "kubelet", URL: "https://h/b", SHA256: digest},
			}},
			want: []string{"artifacts[1].name"},
		},
	})
}
