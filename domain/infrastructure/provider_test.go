package infrastructure_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	metadata "github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
)

// undelivered is a format that cannot be delivered.
const undelivered = delivery.SecretFormat("undelivered")

// The table of keys is written out here once more, from the providers' behaviour and not from the catalog: a wrong
// value makes a machine without userdata.
func TestKeys(t *testing.T) {
	const none, cloud, ign = delivery.SecretFormatNone, delivery.SecretFormatCloudConfig, delivery.SecretFormatIgnition
	type row = [6]delivery.SecretFormat
	usual := row{cloud, ign, ign, none, none, none}
	onlyCloudInit := row{cloud, undelivered, undelivered, undelivered, undelivered, undelivered}
	formats := []delivery.Format{
		delivery.FormatCloudInit, delivery.FormatIgnition, delivery.FormatIgnitionV2, delivery.FormatTalos, "shell",
		delivery.FormatBottlerocket,
	}
	want := map[string]row{
		"AWSMachine": usual, "AWSMachinePool": usual, "AzureMachine": usual, "AzureMachinePool": usual,
		"CloudStackMachine": usual,
		"DOMachine":         usual, "GCPMachine": usual, "GCPMachinePool": usual, "HCloudMachine": usual,
		"IBMPowerVSMachine": usual, "IBMVPCMachine": usual, "KubevirtMachine": usual, "LinodeMachine": usual,
		"Metal3Machine":  usual,
		"NutanixMachine": usual, "OCIMachine": usual, "OCIMachinePool": usual, "OpenStackMachine": usual,
		"OpenStackServer":   usual,
		"TinkerbellMachine": usual, "VSphereMachine": usual, "VSphereVM": usual, "DevMachine": usual, "DevMachinePool": usual,
		"CloudscaleMachine": usual, "KubeSwiftMachine": usual, "MaasMachine": usual, "MetalStackMachine": usual,
		"ONEMachine": usual, "OscMachine": usual, "OxideMachine": usual, "ScalewayMachine": usual, "VirtinkMachine": usual,
		"ByoMachine": onlyCloudInit, "HarvesterMachine": onlyCloudInit, "IonosCloudMachine": onlyCloudInit,
		"LXCMachine": onlyCloudInit, "RemoteMachine": onlyCloudInit, "VultrMachine": onlyCloudInit,
		"VSphereMachine.vmware.infrastructure.cluster.x-k8s.io": onlyCloudInit,

		"HetznerBareMetalMachine": {cloud, undelivered, undelivered, undelivered, none, undelivered},
		"HuaweiCloudMachine": {
			undelivered, undelivered, undelivered, undelivered, undelivered, undelivered,
		},
		"HostMachine":                  {cloud, ign, undelivered, undelivered, none, undelivered},
		"HostMachine.hostSelector":     {undelivered, undelivered, undelivered, undelivered, none, undelivered},
		"HostMachine.namespaceMachine": {cloud, ign, undelivered, undelivered, none, undelivered},
		"HostMachine.virtualMachine":   {cloud, ign, undelivered, undelivered, undelivered, undelivered},
		"MetalMachine":                 {undelivered, undelivered, undelivered, none, undelivered, undelivered},
		"DockerMachine":                {cloud, undelivered, ign, undelivered, undelivered, undelivered},
		"DockerMachinePool":            {cloud, undelivered, ign, undelivered, undelivered, undelivered},
		"ProxmoxMachine":               {cloud, undelivered, ign, none, none, undelivered},
		"VCDMachine":                   {cloud, ign, ign, undelivered, undelivered, undelivered},
	}
	got := map[string]row{}
	for _, p := range infrastructure.All() {
		for _, kind := range p.Kinds {
			var r row
			for i, f := range formats {
				if r[i] = infrastructure.Key(kind, f); !p.Delivers(f) {
					r[i] = undelivered
				}
			}
			got[kind] = r
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// Whatever is published under a key must reach the machine: nothing may be dropped or end where the format does not
// look.
func TestKeysArriveWhereTheFormatLooks(t *testing.T) {
	for _, p := range infrastructure.All() {
		for _, f := range []delivery.Format{
			delivery.FormatCloudInit, delivery.FormatIgnition, delivery.FormatIgnitionV2, delivery.FormatTalos,
			delivery.FormatUnattend, delivery.FormatCloudbaseInit, delivery.FormatBottlerocket, "shell",
		} {
			if !p.Delivers(f) {
				continue
			}
			isIgnition := f == delivery.FormatIgnition || f == delivery.FormatIgnitionV2
			switch reading := p.Keys.Of(infrastructure.Key(p.Kinds[0], f)); {
			case reading == infrastructure.HandlingUserdata, reading == infrastructure.HandlingIgnition && isIgnition:
			default:
				t.Errorf("%s does %d with %s", p.Kinds[0], reading, f)
			}
		}
	}
}

func TestUnknownKindsGetTheDefaultKey(t *testing.T) {
	for f, want := range map[delivery.Format]delivery.SecretFormat{
		delivery.FormatCloudInit: "cloud-config", delivery.FormatIgnition: "ignition", delivery.FormatTalos: "",
		delivery.FormatUnattend: "", delivery.FormatCloudbaseInit: "cloud-config",
	} {
		if got := infrastructure.Key("ExampleMachine", f); got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
		found := infrastructure.Check("ExampleMachine", f, "spec.format")
		if len(found) != 1 || found[0].Severity != report.Info || !strings.Contains(found[0].Message, "ExampleMachine") {
			t.Errorf("%s: %s, want an info that names the kind", f, found)
		}
		if found := infrastructure.Check("", f, "spec.format"); len(found) > 0 {
			t.Errorf("%s without a kind: %s", f, found)
		}
	}
}

func TestCheck(t *testing.T) {
	cases := map[string]struct {
		reason, kind string
		format       delivery.Format
		want         []string
	}{
		"well": {reason: "there is nothing to report", kind: "VSphereMachine", format: delivery.FormatTalos},
		"template": {
			reason: "a template makes machines of its kind", kind: "DockerMachineTemplate", format: delivery.FormatTalos,
			want: []string{
				"error: spec.format: Cluster API Provider Docker does not deliver the format talos to machines of the kind " +
					"DockerMachineTemplate; use the format cloud-init, ignition-v2, or another infrastructure",
			},
		},
		"parsed": {
			reason: "Ignition 3 is parsed as 2.3", kind: "ProxmoxMachine", format: delivery.FormatIgnition,
			want: []string{
				"error: spec.format: Cluster API Provider Proxmox does not deliver the format ignition to " +
					"machines of the kind ProxmoxMachine; use the format ignition-v2, or another infrastructure",
			},
		},
		"note": {
			reason: "the provider's own object needs a setting, too", kind: "AWSMachine", format: delivery.FormatIgnition,
			want: []string{
				"warning: spec.format: AWSMachine: the provider refers to the data with Ignition 2.3 by " +
					"default, which cannot load " +
					"this version; set spec.ignition.version to 3.4",
				"info: spec.format: AWSMachine: the provider refuses Ignition unless its feature gate BootstrapFormatIgnition " +
					"is enabled, and by default stores it in a bucket; enable the gate, and set spec.s3Bucket of the AWSCluster",
			},
		},
		"answer file": {
			reason: "no provider passes an answer file to Setup", kind: "AzureMachine", format: delivery.FormatUnattend,
			want: []string{
				"error: spec.format: Cluster API Provider Azure delivers userdata, and Windows Setup does not read answer " +
					"files from it; use the format cloudbase-init, and an image that contains cloudbase-init",
			},
		},
		"sentinel of Azure": {
			reason: "the provider's VM extension waits for the sentinel", kind: "AzureMachine", format: delivery.FormatTalos,
			want: []string{
				"warning: spec.format: AzureMachine: releases before May 2026 fail the machine unless a VM extension finds " +
					"the sentinel file within 300 seconds, which this format does not write; " +
					"set spec.disableVMBootstrapExtension of the AzureMachine",
			},
		},
		"sentinel of a pool": {
			reason: "pools have the same extension", kind: "AzureMachinePool", format: delivery.FormatBottlerocket,
			want: []string{
				"warning: spec.format: AzureMachinePool: releases before May 2026 fail the machine unless a VM extension " +
					"finds the sentinel file within 300 seconds, which this format does not write; " +
					"set spec.template.disableVMBootstrapExtension of the AzureMachinePool",
			},
		},
		"sentinel of KubeVirt": {
			reason: "the provider reads the sentinel over SSH", kind: "KubevirtMachine", format: delivery.FormatTalos,
			want: []string{
				"warning: spec.format: KubevirtMachine: the provider adds a user to the data and waits for the sentinel file " +
					"over SSH by default, and Talos supports neither; " +
					"set spec.virtualMachineBootstrapCheck.checkStrategy to none",
			},
		},
		"no userdata": {
			reason: "the provider drops everything", kind: "HuaweiCloudMachine", format: delivery.FormatCloudInit,
			want: []string{
				"error: spec.format: Cluster API Provider Huawei Cloud does not deliver the format cloud-init to machines of " +
					"the kind HuaweiCloudMachine; use another infrastructure",
			},
		},
		"group": {
			reason: "the Supervisor's machines have another provider", format: delivery.FormatIgnition,
			kind: "VSphereMachineTemplate." + infrastructure.SupervisorGroup,
			want: []string{
				"error: spec.format: Cluster API Provider vSphere (Supervisor) does not deliver the format ignition to " +
					"machines of the kind VSphereMachineTemplate.vmware.infrastructure.cluster.x-k8s.io; use the format " +
					"cloud-init, or another infrastructure",
			},
		},
		"seed": {
			reason: "only cloud-init reads its seed", kind: "HetznerBareMetalMachine", format: delivery.FormatTalos,
			want: []string{
				"error: spec.format: Cluster API Provider Hetzner does not deliver the format talos to machines of the kind " +
					"HetznerBareMetalMachine; use the format cloud-init, shell, or another infrastructure",
			},
		},
		"for people": {reason: "no machine boots Butane", kind: "DockerMachine", format: delivery.FormatButane},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range infrastructure.Check(c.kind, c.format, "spec.format") {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	cases := map[string]struct {
		reason, kind     string
		format           delivery.Format
		size, compressed int
		bytes, counted   int
	}{
		"raw":     {"EC2 counts before base64", "AWSMachinePool", delivery.FormatCloudInit, 3000, 1000, 16384, 3000},
		"encoded": {"Nova counts after base64", "OpenStackMachine", delivery.FormatCloudInit, 3001, 1000, 65535, 4004},
		"compressed": {
			"CloudStack's provider compresses cloud-config", "CloudStackMachine", delivery.FormatCloudInit, 3000,
			900, 32768, 1200,
		},
		"other": {
			"and with other formats must not", "CloudStackMachine", delivery.FormatIgnition, 3000,
			900, 32768, 4000,
		},
		"one less": {"Linode's provider requires less", "LinodeMachine", delivery.FormatCloudInit, 1, 1, 16383, 1},
		"none":     {"guestinfo has no limit that is known", "VSphereVM", delivery.FormatCloudInit, 3000, 900, 0, 3000},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, known := infrastructure.Lookup(c.kind)
			limit := p.LimitOf(c.format)
			if got := limit.Count(c.size, c.compressed); !known || limit.Bytes != c.bytes || got != c.counted {
				t.Errorf("%s: %v, limit %d, counted %d", c.reason, known, limit.Bytes, got)
			}
		})
	}
}

// TestSettingsThatRemoveLimits names the settings of providers that deliver data over a limit in another way. Such data
// is a warning.
func TestSettingsThatRemoveLimits(t *testing.T) {
	for _, c := range []struct {
		kind   string
		format delivery.Format
		want   string
	}{
		{"AWSMachine", delivery.FormatCloudInit, "insecureSkipSecretsManager"},
		{"AWSMachine", delivery.FormatIgnition, "UnencryptedUserData"},
		{"AWSMachinePool", delivery.FormatIgnition, "ClusterObjectStore"},
		{"AWSMachinePool", delivery.FormatIgnitionV2, "ClusterObjectStore"},
		{"AWSMachinePool", delivery.FormatCloudInit, ""},
		{"DockerMachine", delivery.FormatCloudInit, "65535"},
		{"LinodeMachine", delivery.FormatCloudInit, "spec.objectStore"},
		{"LinodeMachine", delivery.FormatIgnition, ""},
	} {
		p, _ := infrastructure.Lookup(c.kind)
		if got := p.LimitOf(c.format).Unless; (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: the limit is for data unless %q, want %q", c.kind, c.format, got, c.want)
		}
	}
}

// dated matches a source with the date of the version that was read.
var dated = regexp.MustCompile(`\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b`)

func TestCatalogIsWhole(t *testing.T) {
	seen := map[string]bool{}
	var names []string
	for _, p := range infrastructure.All() {
		names = append(names, p.Kinds[0])
		if len(p.Sources) == 0 || p.Name == "" || p.Keys.Of("something") == 0 {
			t.Errorf("%v lacks a source, a name or a key", p.Kinds)
		}
		if source := p.Sources[0]; !dated.MatchString(source) && !strings.HasPrefix(source, "docs/adr/") {
			t.Errorf("%v: the source %q has no date", p.Kinds, source)
		}
		for _, kind := range p.Kinds {
			if seen[kind] {
				t.Errorf("%s is listed twice", kind)
			}
			seen[kind] = true
			if found, known := infrastructure.Lookup(kind); !known || !slices.Contains(found.Kinds, kind) {
				t.Errorf("%s is not found, or has another's provider", kind)
			}
		}
		for _, n := range p.Notes {
			if n.Severity == report.Error || len(n.Formats) == 0 {
				t.Errorf("%v: a note is no error and is about formats", p.Kinds)
			}
		}
	}
	if !slices.IsSortedFunc(names, func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}) {
		t.Errorf("not in order: %v", names)
	}
}

// TestNameOf finds rows by kind and group: two providers have the kind VSphereMachine.
func TestNameOf(t *testing.T) {
	const supervisor = "VSphereMachine." + infrastructure.SupervisorGroup
	for _, c := range []struct{ group, kind, want string }{
		{"infrastructure.cluster.x-k8s.io", "VSphereMachine", "VSphereMachine"},
		{"infrastructure.cluster.x-k8s.io", "VSphereMachineTemplate", "VSphereMachine"},
		{infrastructure.SupervisorGroup, "VSphereMachine", supervisor},
		{infrastructure.SupervisorGroup, "VSphereMachineTemplate", supervisor},
		{infrastructure.SupervisorGroup, "AWSMachine", "AWSMachine"},
		{"", "ExampleMachineTemplate", "ExampleMachine"},
		{"", "", ""},
	} {
		if got := infrastructure.NameOf(c.group, c.kind); got != c.want {
			t.Errorf("%s/%s: %q, want %q", c.group, c.kind, got, c.want)
		}
	}
}

// TestCheckStub refuses programs in place of cloud-config if the provider edits or parses userdata.
func TestCheckStub(t *testing.T) {
	for _, c := range []struct {
		reason, kind string
		format       delivery.Format
		want         bool
	}{
		{"the provider inserts text into the program", "VultrMachine", delivery.FormatCloudInit, true},
		{"the provider parses YAML", "HarvesterMachine", delivery.FormatCloudInit, true},
		{"cloud-init receives the program", "AWSMachine", delivery.FormatCloudInit, false},
		{"the stub of Ignition is a configuration", "VCDMachine", delivery.FormatIgnition, false},
		{"nothing is known", "ExampleMachine", delivery.FormatCloudInit, false},
	} {
		found := infrastructure.CheckStub(c.kind, c.format, "spec.storageRef")
		if found.HasErrors() != c.want {
			t.Errorf("%s: %v: %s", c.kind, found, c.reason)
		}
	}
}

// TestMetadataOf finds the metadata service of machines, whose facts programs on the machine read.
func TestMetadataOf(t *testing.T) {
	for kind, want := range map[string]metadata.Service{
		"AWSMachineTemplate": metadata.ServiceEC2, "AWSMachinePool": metadata.ServiceEC2, "OCIMachine": metadata.ServiceOCI,
		"AzureMachine": metadata.ServiceNone, "": metadata.ServiceNone, "OtherMachine": metadata.ServiceNone,
	} {
		if got := infrastructure.MetadataOf(kind); got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
}
