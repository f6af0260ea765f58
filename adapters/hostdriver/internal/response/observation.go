package response

import (
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/ports"
)

var (
	hostnamePattern     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)
	providerIDPattern   = pattern.Of(256, `^[!-~]+$`)
	architecturePattern = pattern.Of(32, `^[a-z0-9_]+$`)
	// containerPattern matches the interfaces of containers and of the networks between them.
	containerPattern = regexp.MustCompile(
		`^(lo|br-|cali|cilium|cni|docker|dummy|flannel|kube|lxc|nodelocaldns|tunl|veth|virbr|vxlan|wireguard)`)
)

// Probe returns the result of a probe. Values with an invalid syntax are empty.
func (r Response) Probe() ports.HostProbe {
	return ports.HostProbe{
		Architecture: architecture(r.architecture), OSImage: host.OSImage(r.os), CPUs: max(r.cpus, 0),
		MemoryBytes: size(r.memory), DiskFreeBytes: size(r.disk), Agent: r.agent,
	}
}

// size returns KiB in bytes, or 0 if the number is impossible.
func size(kib int64) int64 {
	if kib < 0 || kib > 1<<50 {
		return 0
	}
	return kib << 10
}

// architecture returns the architecture with the name of Go, if it is known.
func architecture(kernel string) string {
	switch {
	case kernel == "x86_64":
		return "amd64"
	case kernel == "aarch64":
		return "arm64"
	case architecturePattern.MatchString(kernel):
		return kernel
	default:
		return ""
	}
}

// Observation returns the result of an observation.
func (r Response) Observation() ports.HostObservation {
	o := ports.HostObservation{Phase: r.phase, Addresses: addresses(r.addresses)}
	if name := strings.TrimSpace(r.hostname); len(name) <= host.MaxHostname && hostnamePattern.MatchString(name) {
		o.Hostname = name
	}
	if providerIDPattern.MatchString(r.provider) {
		o.ProviderID = r.provider
	}
	if r.phase == host.PhaseFailed {
		o.Failure = r.bootFailure().Line()
	}
	return o
}

// addresses returns the addresses of machines in the output of ip(8).
func addresses(output string) []string {
	var found []netip.Addr
	for line := range strings.Lines(output) {
		// Such as "2: eth0 inet 192.0.2.1/24 brd ...".
		words := strings.Fields(line)
		if len(words) < 4 || words[2] != "inet" && words[2] != "inet6" || containerPattern.MatchString(words[1]) {
			continue
		}
		prefix, err := netip.ParsePrefix(words[3])
		if a := prefix.Addr(); err == nil && a.IsGlobalUnicast() {
			found = append(found, a.Unmap())
		}
	}
	slices.SortFunc(found, netip.Addr.Compare)
	found = slices.Compact(found)
	var texts []string
	for _, a := range found[:min(len(found), host.MaxAddresses)] {
		texts = append(texts, a.String())
	}
	return texts
}

// bootFailure returns the failure record, or else what the host reports about data without one.
func (r Response) bootFailure() host.BootFailure {
	var failure host.BootFailure
	if json.Unmarshal(r.record, &failure) == nil && failure.Phase != "" {
		return failure
	}
	failure = host.BootFailure{ExitCode: r.code, Log: string(r.log)}
	if r.detail == "unconfirmed" {
		failure.Cause = host.CauseUnconfirmed
	}
	return failure
}
