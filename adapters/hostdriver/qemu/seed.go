//go:build linux

package qemu

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

//go:embed report.sh
var reportProgram string

// The kinds of seeds.
const (
	seedNoCloud        = "NoCloud"
	seedFirmwareConfig = "FirmwareConfig"
	seedConfigDrive    = "ConfigDrive"
)

// The files of a seed in the directory of a machine.
const (
	seedFile   = "seed.iso"
	configFile = "config.ign"
)

// The program that reports, on a machine with Ignition.
const (
	reportPath = "/var/lib/machineadm-hosts/report.sh"
	reportUnit = "machineadm-host-report.service"
)

// seedKind returns the kind of the seed for the format. The fault is FaultFormat if the seed cannot contain it.
func seedKind(seed string, format ports.HostFormat) (string, error) {
	kinds := map[ports.HostFormat][]string{
		ports.HostFormatCloudConfig: {seedNoCloud, seedConfigDrive},
		ports.HostFormatIgnition:    {seedFirmwareConfig, seedConfigDrive},
	}[format]
	for _, kind := range kinds {
		if seed == "" || seed == kind {
			return kind, nil
		}
	}
	return "", &ports.HostError{
		Fault: host.FaultFormat,
		Err:   fmt.Errorf("spec.virtualMachine.seed: %q cannot contain the format %q; use one of %q", seed, format, kinds),
	}
}

// seed returns the name and the content of the seed.
func seed(kind, uuid string, boot ports.HostBoot) (name string, content []byte, err error) {
	data := boot.Data.Reveal()
	if boot.Format == ports.HostFormatIgnition {
		if data, err = ignitionWithReport(boot); err != nil {
			return "", nil, err
		}
	}
	switch kind {
	case seedFirmwareConfig:
		return configFile, data, nil
	case seedConfigDrive:
		return seedFile, configDrive(uuid, boot, data), nil
	default:
		return seedFile, noCloud(uuid, boot, data), nil
	}
}

// vendorData is the program that reports, as data for cloud-init that does not change what the user's data means.
func vendorData() string { return "#cloud-boothook\n#!/bin/sh\n" + script.StripShell(reportProgram) }

// noCloud returns a seed image of cloud-init's data source NoCloud.
func noCloud(uuid string, boot ports.HostBoot, data []byte) []byte {
	// JSON is YAML.
	metadata, _ := json.Marshal(map[string]string{
		"instance-id": uuid, "local-hostname": boot.Hostname, "provider_id": boot.ProviderID,
	})
	return isoImage("cidata", []isoFile{
		{"meta-data", append(metadata, '\n')},
		{"user-data", data},
		{"vendor-data", []byte(vendorData())},
	})
}

// configDrive returns a config drive of OpenStack, which cloud-init and Ignition read.
func configDrive(uuid string, boot ports.HostBoot, data []byte) []byte {
	metadata, _ := json.Marshal(map[string]any{
		"uuid": uuid, "hostname": boot.Hostname, "name": boot.Hostname,
		"meta": map[string]string{"provider_id": boot.ProviderID},
	})
	files := []isoFile{{"openstack/latest/meta_data.json", metadata}, {"openstack/latest/user_data", data}}
	if boot.Format == ports.HostFormatCloudConfig {
		vendor, _ := json.Marshal(map[string]string{"cloud-init": vendorData()})
		files = append(files, isoFile{"openstack/latest/vendor_data.json", vendor})
	}
	return isoImage("config-2", files)
}

// ignitionWithReport returns a configuration that contains the user's configuration, the host name and the program that
// reports. The user's configuration takes precedence.
func ignitionWithReport(boot ports.HostBoot) ([]byte, error) {
	var user struct {
		Ignition struct {
			Version string `json:"version"`
		} `json:"ignition"`
	}
	if err := json.Unmarshal(boot.Data.Reveal(), &user); err != nil {
		// The error may contain the data.
		return nil, &ports.HostError{Fault: host.FaultData, Err: errors.New("the Ignition configuration is not JSON")}
	}
	source := []map[string]any{{"source": dataurl.EncodeBytes(boot.Data.Reveal())}}
	files := []map[string]any{
		ignitionFile("/etc/hostname", boot.Hostname+"\n"), ignitionFile(reportPath, script.StripShell(reportProgram)),
	}
	ignition := map[string]any{"version": "3.0.0", "config": map[string]any{"merge": source}}
	if strings.HasPrefix(user.Ignition.Version, "2.") {
		ignition = map[string]any{"version": "2.1.0", "config": map[string]any{"append": source}}
		for _, f := range files {
			f["filesystem"] = "root"
		}
	}
	return json.Marshal(map[string]any{
		"ignition": ignition,
		"storage":  map[string]any{"files": files},
		"systemd": map[string]any{"units": []map[string]any{
			{"name": reportUnit, "enabled": true, "contents": reportUnitText},
		}},
	})
}

func ignitionFile(path, content string) map[string]any {
	return map[string]any{
		"path": path, "mode": 0o644, "contents": map[string]any{"source": dataurl.EncodeBytes([]byte(content))},
	}
}

// reportUnitText is the unit of the program that reports.
const reportUnitText = `[Unit]
Description=Report of the bootstrap to the host
[Service]
ExecStart=/bin/sh ` + reportPath + ` report
[Install]
WantedBy=multi-user.target
`
