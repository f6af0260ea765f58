package staticpod

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// podName is the name of the Pod of kube-vip and of its manifest.
const podName = "kube-vip"

// The kubeconfigs of kubeadm. Since version 1.29 the permissions of admin.conf are created after the API server is
// reachable at its endpoint, which is the virtual IP (cmd/kubeadm/app/phases/kubeconfig). Therefore kube-vip of the
// first machine needs the other one, which no further machine has.
const (
	adminConf      = "/etc/kubernetes/admin.conf"
	superAdminConf = "/etc/kubernetes/super-admin.conf"
)

// defaultPort is the default port of the API server.
const defaultPort = 6443

// metricsAddress is that of the metrics of kube-vip. Its default is the same port on all addresses.
const metricsAddress = "127.0.0.1:2112"

// expandVirtualIP writes the manifest of kube-vip.
func expandVirtualIP(v node.VirtualIP, e ports.Expansion) ([]action.Action, report.Report, error) {
	at := e.Document.Source.Path
	n, _, _ := document.First[node.NodeConfig](e.Others)
	var r report.Report
	switch {
	case expand.IsWindows(e.Target):
		return nil, report.Report{report.Errorf(at, "Windows machines run no control plane").To("leave it out")}, nil
	case n.Role == node.RoleWorker:
		return nil, report.Report{report.Errorf(at, "a worker runs no control plane").To("leave it out")}, nil
	}
	for _, d := range e.Others {
		if pod, ok := d.Value.(node.StaticPod); ok && pod.Name == podName {
			r = append(r, report.Errorf(d.Source.Path, "the virtual IP has a static Pod of this name").
				To("remove one of them, or use another name"))
		}
	}
	r = append(r, checkEndpoint(at, v, n)...)
	if r.HasErrors() {
		return nil, r, nil
	}
	manifest, err := json.Marshal(newKubeVIP(v, n))
	if err != nil {
		return nil, nil, fmt.Errorf("encode the manifest of kube-vip: %w", err)
	}
	return write(e, podName, append(manifest, '\n')), r, nil
}

// checkEndpoint compares the virtual IP with the endpoint of the cluster. The host of the endpoint can be a name that
// resolves to the address.
func checkEndpoint(at report.Path, v node.VirtualIP, n node.NodeConfig) report.Report {
	var r report.Report
	host, port, err := net.SplitHostPort(n.Cluster.Endpoint)
	if err != nil {
		return nil
	}
	a, _ := netip.ParseAddr(v.Address)
	if endpoint, err := netip.ParseAddr(host); err == nil && endpoint != a {
		r = append(r, report.Warningf(at.Field("address"), "%s is not the endpoint of the cluster, %s", a, endpoint).
			To("use the same address, unless a load balancer forwards to it"))
	}
	if bind := strconv.Itoa(cmp.Or(n.BindPort, defaultPort)); port != bind {
		r = append(r, report.Warningf(at, "API servers have the port %s, and the cluster's endpoint has the port %s", bind,
			port).To("use the same port: a virtual IP does not translate it"))
	}
	return r
}

// variable is an environment variable of a container.
type variable struct {
	Name      string     `json:"name"`
	Value     string     `json:"value,omitempty"`
	ValueFrom *valueFrom `json:"valueFrom,omitempty"`
}

type valueFrom struct {
	FieldRef map[string]string `json:"fieldRef"`
}

// environment returns the settings of kube-vip (pkg/kubevip/config_environment.go).
func environment(v node.VirtualIP, n node.NodeConfig) []variable {
	all := []variable{
		{Name: "cp_enable", Value: "true"},
		{Name: "cp_namespace", Value: "kube-system"},
		{Name: "vip_nodename", ValueFrom: &valueFrom{map[string]string{"fieldPath": "spec.nodeName"}}},
		{Name: "address", Value: v.Address},
		{Name: "port", Value: strconv.Itoa(cmp.Or(n.BindPort, defaultPort))},
		// A machine whose API server does not answer gives up the address after three seconds.
		{Name: "vip_leaderelection", Value: "true"},
		{Name: "vip_leasename", Value: "plndr-cp-lock"},
		{Name: "vip_leaseduration", Value: "5"},
		{Name: "vip_renewdeadline", Value: "3"},
		{Name: "vip_retryperiod", Value: "1"},
		{Name: "prometheus_server", Value: metricsAddress},
	}
	if !v.UsesBGP() {
		all = append(all, variable{Name: "vip_arp", Value: "true"})
		if v.Interface != "" {
			all = append(all, variable{Name: "vip_interface", Value: v.Interface})
		}
		return all
	}
	// The address is that of the loopback interface, because routers forward it to the machine.
	return append(all, variable{Name: "bgp_enable", Value: "true"},
		variable{Name: "vip_interface", Value: "lo"}, variable{Name: "vip_interfaceloglobal", Value: "true"},
		variable{Name: "bgp_routerinterface", Value: v.Interface},
		variable{Name: "bgp_as", Value: strconv.FormatUint(uint64(v.ASN), 10)},
		variable{Name: "bgp_peers", Value: peers(v.Peers)})
}

// peers returns the routers in the form of kube-vip: address:asn, with IPv6 addresses in brackets.
func peers(list []node.BGPPeer) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = net.JoinHostPort(p.Address, strconv.FormatUint(uint64(p.ASN), 10))
	}
	return strings.Join(texts, ",")
}

// kubeVIP is the Pod of kube-vip.
type kubeVIP struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	Spec       podSpec           `json:"spec"`
}

type podSpec struct {
	HostNetwork       bool        `json:"hostNetwork"`
	PriorityClassName string      `json:"priorityClassName"`
	HostAliases       []hostAlias `json:"hostAliases"`
	Containers        []container `json:"containers"`
	Volumes           []volume    `json:"volumes"`
}

type hostAlias struct {
	IP        string   `json:"ip"`
	Hostnames []string `json:"hostnames"`
}

type container struct {
	Name            string          `json:"name"`
	Image           string          `json:"image"`
	ImagePullPolicy string          `json:"imagePullPolicy"`
	Args            []string        `json:"args"`
	Env             []variable      `json:"env"`
	SecurityContext securityContext `json:"securityContext"`
	VolumeMounts    []volumeMount   `json:"volumeMounts"`
}

type securityContext struct {
	Capabilities map[string][]string `json:"capabilities"`
}

type volumeMount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly"`
}

type volume struct {
	Name     string   `json:"name"`
	HostPath hostPath `json:"hostPath"`
}

type hostPath struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// newKubeVIP returns the Pod. It connects to the API server of its own machine, under a name of its certificate,
// because the endpoint is the address that it announces.
func newKubeVIP(v node.VirtualIP, n node.NodeConfig) kubeVIP {
	return kubeVIP{
		APIVersion: "v1", Kind: "Pod", Metadata: map[string]string{"name": podName, "namespace": "kube-system"},
		Spec: podSpec{
			HostNetwork: true, PriorityClassName: "system-node-critical",
			HostAliases: []hostAlias{{IP: "127.0.0.1", Hostnames: []string{"kubernetes"}}},
			Containers: []container{{
				Name: podName, Image: cmp.Or(v.Image, node.DefaultVirtualIPImage), ImagePullPolicy: "IfNotPresent",
				Args: []string{"manager"}, Env: environment(v, n),
				SecurityContext: securityContext{map[string][]string{"add": {"NET_ADMIN", "NET_RAW"}, "drop": {"ALL"}}},
				VolumeMounts:    []volumeMount{{Name: "kubeconfig", MountPath: adminConf, ReadOnly: true}},
			}},
			// The type makes kubelet wait for the file. Without it, the runtime would create a directory, and kubeadm fail.
			Volumes: []volume{{Name: "kubeconfig", HostPath: hostPath{Path: kubeconfig(n), Type: "File"}}},
		},
	}
}

// kubeconfig returns the path of the kubeconfig that kube-vip can use on the machine.
func kubeconfig(n node.NodeConfig) string {
	version, ok := node.ParseVersion(n.KubernetesVersion)
	if n.Role == node.RoleInit && ok && (version.Major > 1 || version.Minor >= 29) {
		return superAdminConf
	}
	return adminConf
}
