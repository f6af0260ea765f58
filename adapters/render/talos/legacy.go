package talos

import (
	"github.com/siderolabs/crypto/x509"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// Talos before 1.12 reads fields that the library calls deprecated; only this file sets them.

func (b *build) legacyTime(servers []string, disabled bool) {
	t := &v1alpha1.TimeConfig{TimeServers: servers}
	if disabled {
		t.TimeDisabled = new(true)
	}
	//nolint:staticcheck // the field is what releases before TimeSyncConfig read
	b.config.MachineConfig.MachineTime = t
}

func (b *build) legacyEnvironment(env map[string]string) {
	//nolint:staticcheck // the field is what releases before EnvironmentConfig read
	b.config.MachineConfig.MachineEnv = env
}

func (b *build) legacyHostname(name string) {
	b.legacyNetwork().NetworkHostname = name //nolint:staticcheck // what releases before HostnameConfig read
	//nolint:staticcheck // a name that is given excludes one that is made
	b.config.MachineConfig.MachineFeatures.StableHostname = nil
}

// legacyVirtualIP renders the address in the configuration of its interface. Talos uses DHCP, its default, only on
// interfaces that are not configured, so DHCP is set, too (siderolabs/talos: OperatorConfigController).
func (b *build) legacyVirtualIP(v node.VirtualIP) {
	n := b.legacyNetwork()
	//nolint:staticcheck // the field is what releases before Layer2VIPConfig read
	n.NetworkInterfaces = append(n.NetworkInterfaces, &v1alpha1.Device{
		DeviceInterface: v.Interface, DeviceDHCP: new(true),
		DeviceVIPConfig: &v1alpha1.DeviceVIPConfig{SharedIP: v.Address},
	})
}

// legacyNetwork returns the network of the machine.
//
//nolint:staticcheck // the type is what releases before the documents of networks read
func (b *build) legacyNetwork() *v1alpha1.NetworkConfig {
	m := b.config.MachineConfig
	if m.MachineNetwork == nil {
		m.MachineNetwork = &v1alpha1.NetworkConfig{}
	}
	return m.MachineNetwork
}

// legacyRegistries renders registries; all endpoints of one share a flag.
func (b *build) legacyRegistries(at report.Path, all registries) {
	mirrors := map[string]*v1alpha1.RegistryMirrorConfig{}
	for _, m := range all.mirrors {
		out := &v1alpha1.RegistryMirrorConfig{}
		paths := 0
		for _, e := range m.endpoints {
			out.MirrorEndpoints = append(out.MirrorEndpoints, e.URL)
			if e.OverridePath {
				paths++
			}
		}
		switch {
		case paths == len(m.endpoints):
			out.MirrorOverridePath = new(true)
		case paths > 0:
			b.find(report.Errorf(at, "Talos before %s overrides the paths of all mirrors of %s or of none",
				sinceDocuments, m.name).To("treat them alike, or use a newer release"))
		}
		if m.last {
			out.MirrorSkipFallback = new(true)
		}
		mirrors[m.name] = out
	}
	hosts := map[string]*v1alpha1.RegistryConfig{}
	for _, h := range all.hosts {
		hosts[h.name] = legacyHost(h)
	}
	//nolint:staticcheck // the field is what releases before Registry…Config read
	b.config.MachineConfig.MachineRegistries = v1alpha1.RegistriesConfig{RegistryMirrors: mirrors, RegistryConfig: hosts}
}

func legacyHost(h host) *v1alpha1.RegistryConfig {
	out := &v1alpha1.RegistryConfig{}
	if h.auth != nil {
		out.RegistryAuth = &v1alpha1.RegistryAuthConfig{
			RegistryUsername: h.auth.Username, RegistryPassword: string(h.auth.Password.Reveal()),
			RegistryIdentityToken: string(h.auth.Token.Reveal()),
		}
	}
	if h.tls == nil {
		return out
	}
	out.RegistryTLS = &v1alpha1.RegistryTLSConfig{TLSCA: h.tls.CA}
	if len(h.tls.Certificate) > 0 {
		out.RegistryTLS.TLSClientIdentity = &x509.PEMEncodedCertificateAndKey{Crt: h.tls.Certificate, Key: h.tls.Key.Reveal()}
	}
	if h.tls.InsecureSkipVerify {
		out.RegistryTLS.TLSInsecureSkipVerify = new(true)
	}
	return out
}

// legacyVolumes renders volumes; a whole disk is formatted, always with xfs.
func (b *build) legacyVolumes(s *storage) {
	for _, v := range s.volumes {
		switch {
		case v.swap:
			b.swapVolume(v)
		case v.disk == nil:
			b.userVolume(v)
		case v.format != "xfs":
			b.find(report.Errorf(v.at, "Talos before %s supports only xfs", sinceVolumes).To("use xfs, or a newer release"))
		}
	}
	for _, d := range s.disks {
		disk := &v1alpha1.MachineDisk{DeviceName: d.value.Device}
		for i, p := range d.value.Partitions {
			partition := &v1alpha1.DiskPartition{DiskSize: v1alpha1.DiskSize(p.SizeMiB) << 20}
			for _, v := range s.volumes {
				if v.disk == d && v.partition == i {
					partition.DiskMountPoint = volumeDir + "/" + v.name
				}
			}
			disk.DiskPartitions = append(disk.DiskPartitions, partition)
		}
		//nolint:staticcheck // the field is what releases before UserVolumeConfig read
		b.config.MachineConfig.MachineDisks = append(b.config.MachineConfig.MachineDisks, disk)
	}
}
