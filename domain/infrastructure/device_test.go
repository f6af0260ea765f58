package infrastructure_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

func TestResolveDevices(t *testing.T) {
	withCloudInit := osprofile.Profile{Formats: []osprofile.FormatSupport{{Format: delivery.FormatCloudInit}}}
	for name, tc := range map[string]struct {
		reason string
		target osprofile.Target
		device string
		want   string
	}{
		"partition": {
			"udev of cloud-init makes a link for each partition",
			osprofile.Target{Profile: withCloudInit, Infrastructure: "AzureMachineTemplate"},
			"ephemeral0.1",
			"/dev/disk/cloud/azure_resource-part1",
		},
		"disk": {
			"",
			osprofile.Target{Profile: withCloudInit, Platform: "azure"},
			"ephemeral0",
			"/dev/disk/cloud/azure_resource",
		},
		"ignition": {
			"Azure's rules are in the initramfs",
			osprofile.Target{Infrastructure: "AzureMachine"},
			"ephemeral0.2",
			"/dev/disk/azure/resource-part2",
		},
		"path":       {"", osprofile.Target{}, "/dev/vdb", "/dev/vdb"},
		"other disk": {"Azure has one temporary disk", osprofile.Target{Platform: "azure"}, "ephemeral1", ""},
		"other cloud": {
			"the name depends on the machine", osprofile.Target{Infrastructure: "AWSMachine"}, "ephemeral0", "",
		},
		"unknown cloud": {"", osprofile.Target{}, "ephemeral0.1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []document.Value{
				machine.Disk{Device: tc.device},
				machine.Filesystem{Device: tc.device},
				machine.Mount{Source: tc.device},
				machine.Swap{Device: tc.device},
			} {
				given := []document.Document{{Value: v, Source: document.Source{Path: "spec"}}}
				docs, findings := infrastructure.ResolveDevices(given, tc.target)
				if findings.HasErrors() != (tc.want == "") {
					t.Fatalf("%s: %s", tc.reason, findings)
				}
				if got := deviceOf(docs[0].Value); tc.want != "" && got != tc.want {
					t.Errorf("%T: got %s, want %s: %s", v, got, tc.want, tc.reason)
				}
				if deviceOf(given[0].Value) != tc.device {
					t.Error("the given documents were changed")
				}
			}
		})
	}
}

// TestContentOfTemporaryDisks expects warnings for the content that the data source of cloud-init replaces.
func TestContentOfTemporaryDisks(t *testing.T) {
	azure := osprofile.Target{Platform: "azure", Profile: osprofile.Profile{
		Formats: []osprofile.FormatSupport{{Format: delivery.FormatCloudInit}},
	}}
	const part = "/dev/disk/cloud/azure_resource-part1"
	xfs := machine.Filesystem{Device: "ephemeral0.1", Format: "xfs", Label: "data"}
	swap := machine.Filesystem{Device: "ephemeral0.1", Format: "swap"}
	for name, tc := range map[string]struct {
		reason string
		target osprofile.Target
		docs   []document.Value
		want   report.Path
	}{
		"one partition":  {"its table is that of cloud-init", azure, disk(1), ""},
		"two partitions": {"also partitions in use are replaced", azure, disk(2), "docs[0].partitions"},
		"unused":         {"it is formatted", azure, []document.Value{xfs}, "docs[0].device"},
		"mounted":        {"", azure, []document.Value{xfs, machine.Mount{Source: part, Path: "/a"}}, ""},
		"mounted, label": {"", azure, []document.Value{xfs, machine.Mount{Source: "LABEL=data", Path: "/a"}}, ""},
		"swap":           {"", azure, []document.Value{swap, machine.Swap{Device: "ephemeral0.1"}}, ""},
		"unused swap":    {"it is formatted", azure, []document.Value{swap}, "docs[0].device"},
		"same":           {"", azure, []document.Value{machine.Filesystem{Device: part, Format: "ext4"}}, ""},
		"ignition":       {"nothing else formats it", osprofile.Target{Platform: "azure"}, []document.Value{xfs}, ""},
		"another disk":   {"", azure, []document.Value{machine.Filesystem{Device: "/dev/sdc1", Format: "xfs"}}, ""},
		"no partition": {
			"the table overwrites it, also if it is mounted", azure,
			[]document.Value{
				machine.Filesystem{Device: "ephemeral0", Format: "ext4"}, machine.Mount{Source: "ephemeral0", Path: "/a"},
			},
			"docs[0].device",
		},
	} {
		t.Run(name, func(t *testing.T) {
			docs := make([]document.Document, len(tc.docs))
			for i, v := range tc.docs {
				docs[i] = document.Document{Value: v, Source: document.Source{Path: report.Path("docs").Index(i)}}
			}
			_, findings := infrastructure.ResolveDevices(docs, tc.target)
			var got report.Path
			for _, f := range findings {
				if f.Severity != report.Warning || got != "" {
					t.Errorf("%s", findings)
				}
				got = f.Path
			}
			if got != tc.want {
				t.Errorf("got %q, want %q: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func disk(partitions int) []document.Value {
	return []document.Value{machine.Disk{Device: "ephemeral0", Partitions: make([]machine.Partition, partitions)}}
}

func deviceOf(v document.Value) string {
	switch v := v.(type) {
	case machine.Disk:
		return v.Device
	case machine.Filesystem:
		return v.Device
	case machine.Mount:
		return v.Source
	case machine.Swap:
		return v.Device
	default:
		return ""
	}
}
