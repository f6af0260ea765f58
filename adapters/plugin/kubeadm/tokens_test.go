package kubeadm_test

import (
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

// withTokens returns a control plane with all fields of tokens.
func withTokens() *node.ControlPlaneConfig {
	hour, never := 3600, 0
	return &node.ControlPlaneConfig{BootstrapTokens: []node.InitToken{
		{Token: secret.FromString("abcdef.0123456789abcdef")},
		{
			Token: secret.FromString("bcdefg.0123456789abcdef"), Description: "racks: \"1\"", TTLSeconds: &hour,
			Usages: []string{"signing", "authentication"}, Groups: []string{"system:bootstrappers:a"},
		},
		{Token: secret.FromString("cdefgh.0123456789abcdef"), TTLSeconds: &never},
	}}
}

func bare(role node.Role, version string) node.NodeConfig {
	n := worker(version)
	n.Role = role
	n.Registration, n.Kubelet = node.Registration{}, node.Kubelet{}
	if role == node.RoleInit {
		n.Discovery = nil
	}
	return n
}
