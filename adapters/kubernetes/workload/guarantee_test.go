package workload

import (
	"context"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/cluster-api/controlplane/kubeadm/pkg/proxy"
)

// The signatures that this package uses. A version of Cluster API that changes them does not compile here.
var (
	_ func(proxy.Proxy, ...func(*proxy.Dialer) error) (*proxy.Dialer, error)       = proxy.NewDialer
	_ func(d *proxy.Dialer, ctx context.Context, address string) (net.Conn, error) = (*proxy.Dialer).DialContextWithAddr
)

// TestLimitedGuarantee verifies that this package imports no other package of Cluster API that may change in a patch
// version (docs/adr/0079-liveness-from-members.md).
func TestLimitedGuarantee(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{join .Imports "\n"}}`, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	limited := slices.DeleteFunc(strings.Fields(string(out)), func(path string) bool {
		return !strings.HasPrefix(path, "sigs.k8s.io/cluster-api/controlplane/") &&
			!strings.HasPrefix(path, "sigs.k8s.io/cluster-api/bootstrap/") && !strings.Contains(path, "/reconcilers/")
	})
	if want := []string{"sigs.k8s.io/cluster-api/controlplane/kubeadm/pkg/proxy"}; !slices.Equal(limited, want) {
		t.Errorf("imports %q, want %q", limited, want)
	}
}
