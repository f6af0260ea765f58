package infrastructure_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
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
