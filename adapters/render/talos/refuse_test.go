package talos_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/golden"
)

// refusal is a plan that cannot be said.
type refusal struct {
	reason, release string
	values          []document.Value
	steps           []action.Operation
}

// compare holds the findings of each case to a golden; each has to have an error, at the path of a document of its own.
func compare(t *testing.T, name string, cases map[string]refusal) {
	t.Helper()
	var all strings.Builder
	for _, key := range slices.Sorted(maps.Keys(cases)) {
		tc := cases[key]
		p := planOf(t, target(t, tc.release), tc.values...)
		for _, op := range tc.steps {
			p.Steps = append(p.Steps, planStep(0, action.Of(op)[0]))
		}
		rendering, findings := render(t, p)
		if !findings.HasErrors() || !rendering.Payload.Data.IsZero() {
			t.Errorf("%s is not refused: %s", key, tc.reason)
		}
		fmt.Fprintf(&all, "%s (%s)\n", key, tc.reason)
		for _, f := range findings {
			if f.Severity == report.Info {
				continue
			}
			owned := func(d document.Document) bool { return f.Path.Under(d.Source.Path) }
			if !slices.ContainsFunc(p.Documents, owned) && f.Path != "spec.formatOptions.version" {
				t.Errorf("%s: the finding is about no document: %s", key, f)
			}
			fmt.Fprintf(&all, "  %s\n", f)
		}
	}
	golden.File(t, "testdata/refused/"+name+".txt", []byte(all.String()))
}

// with returns the values with a worker before them.
func with(values ...document.Value) []document.Value {
	return append([]document.Value{worker()}, values...)
}

func plane(change func(*node.ControlPlaneConfig)) []document.Value {
	var c node.ControlPlaneConfig
	change(&c)
	return []document.Value{controlPlane(), c}
}

func nodeWith(change func(*node.NodeConfig)) []document.Value {
	return []document.Value{controlPlane(change)}
}

func TestRefusedMachines(t *testing.T) {
	on := true
	command := machine.Command{Phase: document.PhasePre, Script: "echo secret-canary"}
	file := func(f machine.File) []document.Value { return with(f) }
	registry := func(r ...machine.Registry) []document.Value { return with(machine.ContainerdConfig{Registries: r}) }
	mirror := func(e machine.RegistryEndpoint) []document.Value {
		return registry(machine.Registry{Host: "a.example", Mirrors: []machine.RegistryEndpoint{e}})
	}
	auth := func(password string) *machine.RegistryAuth {
		return &machine.RegistryAuth{Username: "u", Password: secret.FromString(password)}
	}
	containerd := func(c machine.ContainerdConfig) []document.Value { return with(c) }
	compare(t, "machine", map[string]refusal{
		"command":         {reason: "there is no shell", values: with(command)},
		"user":            {reason: "there are no users", values: with(machine.User{Name: "a"}, machine.Group{Name: "b"})},
		"packages":        {reason: "there are none", values: with(machine.PackagesConfig{Install: []string{"vim"}})},
		"unit":            {reason: "there is no systemd", values: with(machine.Unit{Name: "a.service", Enabled: &on})},
		"CRI-O":           {reason: "containerd runs containers", values: with(machine.CRIOConfig{})},
		"domain":          {reason: "nobody logs in", values: with(machine.DomainJoin{})},
		"host":            {reason: "nobody reads", values: with(machine.HostConfig{Hostname: "other", TimeZone: "Europe/Berlin", Locale: "de-DE", UILanguage: "de-DE", Keyboard: "de-DE"})},
		"updates":         {reason: "it does not update itself", values: with(machine.OSUpdatesConfig{Enabled: true})},
		"kubernetes":      {reason: "images, no files", values: with(machine.KubernetesConfig{Provision: machine.ProvisionPackage, Packages: []string{"kubelet"}, Artifacts: []machine.Artifact{{}}})},
		"sysctl":          {reason: "no patterns", values: with(machine.SysctlConfig{Settings: []machine.Sysctl{{Name: "net.*.x", Value: "1"}, {Name: "-a.b", Value: "1"}}})},
		"time daemon":     {reason: "it has its own", values: with(machine.TimeSyncConfig{Daemon: machine.TimeDaemonChronyd, Servers: []string{"a"}})},
		"empty CA":        {reason: "the library takes it", values: with(machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(" \n")}}})},
		"outside":         {reason: "the library takes it, and Talos does not boot", values: file(machine.File{Path: "/etc/motd"})},
		"beside":          {reason: "/var2 is not /var", values: file(machine.File{Path: "/var2/x"})},
		"static pod file": {reason: "kubelet does not read the directory", values: file(machine.File{Path: "/etc/kubernetes/manifests/a.yaml"})},
		"append":          {reason: "Talos would add to it at every boot", values: file(machine.File{Path: "/var/log/x", Append: true})},
		"owner":           {reason: "there are no users", values: file(machine.File{Path: "/var/x", Owner: machine.Owner{User: "app"}})},
		"group":           {reason: "there are no groups", values: file(machine.File{Path: "/var/x", Owner: machine.Owner{User: "root", Group: "1000"}})},
		"mode":            {reason: "the bits would be lost", values: file(machine.File{Path: "/var/x", Mode: 0o4755})},
		"fact":            {reason: "nothing is filled in", values: file(machine.File{Path: "/var/x", Content: document.FromFact(document.FactZone)})},
		"customization":   {reason: "two say the same file", values: containerdAnd(machine.File{Path: "/etc/cri/conf.d/20-customization.part"})},
		"version":         {reason: "one version", values: containerd(machine.ContainerdConfig{Version: 2})},
		"cgroups":         {reason: "no systemd", values: containerd(machine.ContainerdConfig{CgroupDriver: machine.CgroupDriverSystemd})},
		"own proxy":       {reason: "one proxy", values: containerd(machine.ContainerdConfig{Proxy: &machine.ProxyConfig{}})},
		"TOML":            {reason: "not TOML", values: containerd(machine.ContainerdConfig{RawTOML: "secret-canary ="})},
		"TOML version":    {reason: "one version", values: containerd(machine.ContainerdConfig{RawTOML: "version = 2"})},
		"TOML twice": {reason: "said twice", values: containerd(machine.ContainerdConfig{
			SandboxImage: "a", RawTOML: "[plugins.'io.containerd.cri.v1.images'.pinned_images]\nsandbox = 'b'\n",
		})},
		"TOML elsewhere": {reason: "no table", values: containerd(machine.ContainerdConfig{SandboxImage: "a", RawTOML: "plugins = 1"})},
		"runc options": {reason: "their types are runc's", values: containerd(machine.ContainerdConfig{
			Runtimes: []machine.Runtime{{Name: "a", Options: map[string]string{"SystemdCgroup": "true"}}},
		})},
		"capability": {reason: "always both", values: mirror(machine.RegistryEndpoint{URL: "https://m", Capabilities: []string{"pull"}})},
		"header":     {reason: "none are sent", values: mirror(machine.RegistryEndpoint{URL: "https://m", Header: map[string]string{"A": "b"}})},
		"default auth": {
			reason: "of no host in particular", values: registry(machine.Registry{Host: "_default", Auth: auth("p")}),
		},
		"two passwords": {reason: "one host, one password", values: registry(
			machine.Registry{Host: "a.example", Auth: auth("secret-canary")},
			machine.Registry{Host: "b.example", Mirrors: []machine.RegistryEndpoint{{URL: "https://a.example", Auth: auth("other-canary")}}},
		)},
		"some paths": {reason: "one flag for all before 1.12", release: "1.11.0", values: registry(machine.Registry{Host: "a.example", Mirrors: []machine.RegistryEndpoint{
			{URL: "https://m/v2", OverridePath: true}, {URL: "https://n"},
		}})},
	})
}

func containerdAnd(values ...document.Value) []document.Value {
	return with(append([]document.Value{machine.ContainerdConfig{SandboxImage: "a"}}, values...)...)
}

func TestRefusedDisks(t *testing.T) {
	volume := func(d machine.Disk, f machine.Filesystem, m machine.Mount) []document.Value { return with(d, f, m) }
	disk := func(p ...machine.Partition) machine.Disk { return machine.Disk{Device: "/dev/vdb", Partitions: p} }
	xfs := machine.Filesystem{Device: "/dev/vdb1", Format: "xfs"}
	data := machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data"}
	whole := with(machine.Filesystem{Device: "/dev/vdb", Format: "ext4"}, machine.Mount{Source: "/dev/vdb", Path: "/var/mnt/data"})
	compare(t, "disk", map[string]refusal{
		"wipe":       {reason: "nothing is wiped", values: volume(machine.Disk{Device: "/dev/vdb", Wipe: true, Table: machine.TableMBR, Partitions: make([]machine.Partition, 1)}, xfs, data)},
		"empty":      {reason: "no volume", values: with(disk())},
		"partition":  {reason: "Talos numbers and places", values: volume(disk(machine.Partition{Number: 2, StartMiB: 1, TypeGUID: "x", Label: "mine"}), xfs, data)},
		"filesystem": {reason: "Talos formats", values: volume(disk(machine.Partition{}), machine.Filesystem{Device: "/dev/vdb1", Format: "btrfs", Label: "l", Wipe: true, Options: []string{"-f"}}, data)},
		"type":       {reason: "another type", values: volume(disk(machine.Partition{}), xfs, machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data", Type: "ext4"})},
		"place":      {reason: "one directory", values: volume(disk(machine.Partition{}), xfs, machine.Mount{Source: "/dev/vdb1", Path: "/data"})},
		"name":       {reason: "a volume's name", values: volume(disk(machine.Partition{}), xfs, machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/a b"})},
		"source":     {reason: "by device alone", values: with(machine.Mount{Source: "LABEL=x", Path: "/var/mnt/data"})},
		"unmade":     {reason: "nothing makes it", values: with(machine.Mount{Source: "/dev/vdz1", Path: "/var/mnt/data"})},
		"options":    {reason: "no words", values: volume(disk(machine.Partition{}), xfs, machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data", Options: []string{"noatime", "noexec"}})},
		"old options": {
			reason: "no words before 1.13", release: "1.12.0",
			values: volume(disk(machine.Partition{}), xfs, machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data", Options: []string{"noatime"}}),
		},
		"unmounted":   {reason: "nothing uses it", values: with(disk(machine.Partition{}), machine.Filesystem{Device: "/dev/vdc", Format: "xfs"})},
		"twice":       {reason: "one volume a partition", values: append(volume(disk(machine.Partition{}), xfs, data), machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/again"})},
		"whole":       {reason: "since 1.12", release: "1.11.0", values: whole},
		"old ext4":    {reason: "xfs alone before 1.10", release: "1.9.0", values: volume(disk(machine.Partition{}), machine.Filesystem{Device: "/dev/vdb1", Format: "ext4"}, data)},
		"swap file":   {reason: "a partition", values: with(machine.Swap{Path: "/var/swap", SizeMiB: 1})},
		"old swap":    {reason: "since 1.11", release: "1.10.0", values: with(machine.Swap{Device: "/dev/vdb"})},
		"file on it":  {reason: "it would be hidden", values: append(volume(disk(machine.Partition{}), xfs, data), machine.File{Path: "/var/mnt/data/x"})},
		"absurd size": {reason: "more than there are bytes", values: volume(disk(machine.Partition{SizeMiB: 1 << 62}), xfs, data)},
	})
}

func TestRefusedNodes(t *testing.T) {
	kubelet := func(k node.Kubelet) []document.Value { return nodeWith(func(n *node.NodeConfig) { n.Kubelet = k }) }
	arg := func(name, value string) node.Arg { return node.Arg{Name: name, Value: document.Text(value)} }
	serial := true
	compare(t, "node", map[string]refusal{
		"no node":  {reason: "every machine is one", values: []document.Value{machine.ProxyConfig{}}},
		"endpoint": {reason: "it is needed", values: nodeWith(func(n *node.NodeConfig) { n.Cluster.Endpoint = "" })},
		"two":      {reason: "one endpoint", values: with2(func(n *node.NodeConfig) { n.Discovery.APIServerEndpoint = "other:6443" })},
		"kubeconfig": {reason: "by token", values: with2(func(n *node.NodeConfig) {
			n.Discovery = &node.Discovery{Kubeconfig: secret.FromString("secret-canary")}
		})},
		"no CA":       {reason: "a pin is not enough", values: with2(func(n *node.NodeConfig) { n.Certificates = nil })},
		"other files": {reason: "no place", values: with2(func(n *node.NodeConfig) { n.Certificates = append(n.Certificates, node.CertificateFile{Path: "x.crt"}) })},
		"half pairs":  {reason: "keys are needed", values: nodeWith(func(n *node.NodeConfig) { n.Certificates = n.Certificates[:1] })},
		"too new":     {reason: "1.13 runs up to 1.36", values: with2(func(n *node.NodeConfig) { n.KubernetesVersion = "v1.37.0" })},
		"too old":     {reason: "1.12 runs 1.30 and newer", release: "1.12.1", values: with2(func(n *node.NodeConfig) { n.KubernetesVersion = "v1.29.9" })},
		"fact":        {reason: "nothing is filled in", values: nodeWith(func(n *node.NodeConfig) { n.Registration.Name = document.FromFact(document.FactInstanceID) })},
		"long name":   {reason: "a label of DNS", values: nodeWith(func(n *node.NodeConfig) { n.Registration.Name = document.Text(strings.Repeat("a", 64)) })},
		"address":     {reason: "nothing is filled in", values: nodeWith(func(n *node.NodeConfig) { n.AdvertiseAddress = document.FromFact(document.FactPrivateIPv4) })},
		"kubeadm": {reason: "there is none", values: nodeWith(func(n *node.NodeConfig) {
			n.Patches, n.SkipPhases, n.Verbosity = []node.Patch{{Target: "etcd"}}, []string{"addon/kube-proxy"}, 5
			n.Timeouts.Discovery, n.CertificatesDir = 5, "/etc/kubernetes/certs"
		})},
		"registration": {reason: "kubeadm's", values: nodeWith(func(n *node.NodeConfig) {
			n.Registration = node.Registration{CRISocket: "unix:///run/crio.sock", IgnorePreflightErrors: []string{"all"}, ImagePullPolicy: "Always", ImagePullSerial: &serial}
		})},
		"protected": {reason: "Talos's own", values: kubelet(node.Kubelet{Config: node.Tree{"authentication": map[string]any{}, "staticPodPath": "/x", "resolvConf": "secret-canary"}})},
		"two taints": {reason: "said twice", values: nodeWith(func(n *node.NodeConfig) {
			n.Registration.Taints = []node.Taint{{Key: "a", Effect: "NoSchedule"}}
			n.Kubelet.Config = node.Tree{"registerWithTaints": []any{}}
		})},
		"arguments": {reason: "Talos's own, or twice, or nothing", values: kubelet(node.Kubelet{Args: []node.Arg{
			arg("config", "/x"), arg("v", "1"), arg("v", "2"), arg("empty", ""), arg("nul", "a\x00"), arg("latin", "\xe4"),
			{Name: "fact", Value: document.FromFact(document.FactZone)},
		}})},
		"said twice": {reason: "a field and an argument", values: nodeWith(func(n *node.NodeConfig) {
			n.AdvertiseAddress = document.Text("192.0.2.1")
			n.Registration.Labels, n.Registration.Taints = []node.Label{{Key: "a"}}, []node.Taint{{Key: "a", Effect: "NoSchedule"}}
			n.Kubelet.Args = []node.Arg{arg("hostname-override", "x"), arg("register-with-taints", "x"), arg("node-labels", "x"), arg("node-ip", "x")}
		})},
		"tree":     {reason: "no JSON", values: kubelet(node.Kubelet{Config: node.Tree{"a": func() {}}})},
		"pod":      {reason: "not a pod", values: with(node.StaticPod{Name: "a", Manifest: []byte("apiVersion: v1\nkind: Service\n")})},
		"nameless": {reason: "no name", values: with(node.StaticPod{Name: "a", Manifest: []byte("apiVersion: v1\nkind: Pod\n")})},
		"two pods": {reason: "one a document", values: with(node.StaticPod{Name: "a", Manifest: []byte("kind: Pod\n---\nkind: Pod\n")})},
		"no YAML":  {reason: "nobody reads it", values: with(node.StaticPod{Name: "a", Manifest: []byte("secret-canary: [")})},
		"list":     {reason: "no mapping", values: with(node.StaticPod{Name: "a", Manifest: []byte("- a\n")})},
		"steps":    {reason: "nothing runs", values: with(), steps: allOperations()},
	})
}

func with2(change func(*node.NodeConfig)) []document.Value { return []document.Value{worker(change)} }

// allOperations are those that Talos does not carry out.
func allOperations() []action.Operation {
	return []action.Operation{
		action.EnsureUser{},
		action.EnsureGroup{},
		action.EnsureUnit{},
		action.InstallPackages{},
		action.RunCommand{},
		action.PartitionDisk{},
		action.MakeFilesystem{},
		action.MountFilesystem{},
		action.EnableSwap{},
		action.MakeDirectory{},
		action.Link{},
		action.FetchFile{},
		action.WriteFile{File: machine.File{Path: "/etc/x"}},
		action.ConfigureHost{},
		action.JoinDomain{},
	}
}

func TestRefusedControlPlanes(t *testing.T) {
	api := func(change func(*node.APIServer)) []document.Value {
		return plane(func(c *node.ControlPlaneConfig) { change(&c.APIServer) })
	}
	etcd := func(e node.LocalEtcd) []document.Value {
		return plane(func(c *node.ControlPlaneConfig) { c.LocalEtcd = &e })
	}
	encryption := func(text string) []document.Value {
		return api(func(a *node.APIServer) {
			a.EncryptionAtRest = secret.FromString("apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n" + text)
		})
	}
	arg := func(name string) []node.Arg { return []node.Arg{{Name: name, Value: document.Text("x")}} }
	compare(t, "control-plane", map[string]refusal{
		"worker":        {reason: "it has no control plane", values: with(node.ControlPlaneConfig{})},
		"own arguments": {reason: "Talos's own", values: api(func(a *node.APIServer) { a.Args = arg("etcd-servers") })},
		"manager":       {reason: "Talos's own", values: plane(func(c *node.ControlPlaneConfig) { c.ControllerManager.Args = arg("root-ca-file") })},
		"scheduler":     {reason: "Talos's own", values: plane(func(c *node.ControlPlaneConfig) { c.Scheduler.Args = arg("config") })},
		"volume": {reason: "no look", values: api(func(a *node.APIServer) {
			a.Volumes = []node.Volume{{HostPath: "/a", MountPath: "/b", PathType: "DirectoryOrCreate"}}
		})},
		"log":    {reason: "one place", values: api(func(a *node.APIServer) { a.Audit = &node.Audit{Policy: []byte(auditPolicy), LogPath: "/var/log/x"} })},
		"policy": {reason: "no policy", values: api(func(a *node.APIServer) { a.Audit = &node.Audit{Policy: []byte("kind: x")} })},
		"limits": {reason: "said twice", values: api(func(a *node.APIServer) {
			a.Args = arg("audit-log-maxage")
			a.Audit = &node.Audit{Policy: []byte(auditPolicy), MaxAgeDays: 1}
		})},
		"webhook": {reason: "no place for a secret", values: api(func(a *node.APIServer) { a.AuthenticationWebhook = secret.FromString("secret-canary") })},
		"authentication": {reason: "no manifest, or said twice", values: api(func(a *node.APIServer) {
			a.Args, a.Authentication = arg("authentication-config"), []byte(authentication)
		})},
		"anonymous": {reason: "Talos's flag", values: api(func(a *node.APIServer) {
			a.Authentication = []byte(authentication + "anonymous: {enabled: false}\n")
		})},
		"authorization": {reason: "unknown field", values: api(func(a *node.APIServer) {
			a.Authorization = []byte("kind: AuthorizationConfiguration\nauthorizers:\n- {type: Webhook, name: [], other: 1}\n")
		})},
		"admission": {reason: "no file", values: api(func(a *node.APIServer) {
			a.Admission = []byte("kind: AdmissionConfiguration\nplugins:\n- {name: A, path: /x}\n- 1\n")
		})},
		"ConfigMaps": {reason: "Secrets alone", values: encryption("resources:\n- resources: [secrets, configmaps]\n  providers:\n  - secretbox: {keys: [{name: key2, secret: secret-canary}]}\n")},
		"key name":   {reason: "the name stands before the data", values: encryption("resources:\n- resources: [secrets]\n  providers:\n  - aescbc: {keys: [{name: key2, secret: secret-canary}]}\n")},
		"KMS":        {reason: "no plug-in", values: encryption("resources:\n- resources: [secrets]\n  providers:\n  - kms: {}\n")},
		"two keys":   {reason: "one", values: encryption("resources:\n- resources: [secrets]\n  providers:\n  - secretbox: {keys: [{name: key2}, {name: key3}]}\n  - aescbc: {}\n")},
		"plain":      {reason: "nothing would be encrypted", values: encryption("resources: []\n")},
		"etcd": {reason: "Talos's own", values: etcd(node.LocalEtcd{
			DataDir: "/data", Args: arg("data-dir"), Env: []node.Env{{Name: "A"}}, ServerCertSANs: []string{"a"}, PeerCertSANs: []string{"a"},
		})},
		"external": {reason: "Talos runs it", values: plane(func(c *node.ControlPlaneConfig) { c.ExternalEtcd = &node.ExternalEtcd{} })},
		"kube-proxy": {reason: "the mode alone", values: plane(func(c *node.ControlPlaneConfig) {
			c.KubeProxyConfig = node.Tree{"mode": 1, "conntrack": map[string]any{}}
		})},
		"certificates": {reason: "Talos's own", values: plane(func(c *node.ControlPlaneConfig) {
			c.Certificates = node.Certificates{ValidityDays: 1, Algorithm: node.RSA4096}
		})},
		"gates": {reason: "kubeadm's", values: plane(func(c *node.ControlPlaneConfig) { c.FeatureGates = []node.FeatureGate{{Name: "A"}} })},
	})
}

func TestRefusedVersions(t *testing.T) {
	for _, asked := range []string{"1.8", "1.14.0", "2.0", "x", "1"} {
		to := target(t, "")
		to.FormatVersion = asked
		_, findings := render(t, planOf(t, to, worker()))
		want := fmt.Sprintf("error: spec.formatOptions.version: no configuration is written for Talos %q; use a version from 1.9 to 1.13", asked)
		if findings.String() != want {
			t.Errorf("%s: %s", asked, findings)
		}
	}
}

// A release that the library does not know yet gets the newest configuration, and is not asked which Kubernetes it runs.
func TestNewerReleases(t *testing.T) {
	newer := worker(func(n *node.NodeConfig) { n.KubernetesVersion = "v1.37.1" })
	if _, findings := render(t, planOf(t, target(t, "1.14.2"), newer)); findings.HasErrors() {
		t.Error(findings)
	}
	if _, findings := render(t, planOf(t, osprofile.Target{Release: "no release"}, worker())); !findings.HasErrors() {
		t.Error("a release that is none was taken")
	}
}
