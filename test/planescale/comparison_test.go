//go:build e2e

package planescale_test

import (
	"context"
	"crypto/tls"
	_ "embed" // the control plane
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

//go:embed kubeadm.yaml
var kubeadmPlane string

// The limits of what this provider may need of what KubeadmControlPlane needs for the same rollout.
const (
	// maxTime applies if the deletion of an infrastructure machine takes a minute, and maxIdle if it takes no time.
	maxTime, maxIdle = 0.60, 0.20
	maxRequests      = 0.60
)

// contender is a provider of control planes.
type contender struct {
	name, manifest string
	meter          meter
}

// rollout is what a provider needed to replace three machines.
type rollout struct {
	total, idle, gap time.Duration
	used             usage
}

// TestComparison replaces the machines of a control plane of this provider, and of a KubeadmControlPlane, one after the
// other in the same environment.
func TestComparison(t *testing.T) {
	ours := contender{"MachineadmControlPlane", machineadmPlane, startPlanes(t)}
	theirs := contender{"KubeadmControlPlane", kubeadmPlane, startKubeadmPlanes(t)}
	rows := []string{
		"| deletion | control plane | seconds | idle seconds | requests | longest gap |", "|---|---|---|---|---|---|",
	}
	for _, deletion := range []int64{60, 0} {
		found := map[string]rollout{}
		for _, c := range []contender{ours, theirs} {
			r := c.roll(t, deletion)
			found[c.name] = r
			rows = append(rows, fmt.Sprintf("| %d s | %s | %.1f | %.1f | %d | %d ms |", deletion, c.name, r.total.Seconds(),
				r.idle.Seconds(), sum(r.used.management), r.gap.Milliseconds()))
			t.Logf("%s: %s; workload %d: %s", c.name, list(r.used.management), sum(r.used.workload), list(r.used.workload))
		}
		compare(t, deletion, found[ours.name], found[theirs.name])
	}
	t.Log("\n" + strings.Join(rows, "\n"))
}

func compare(t *testing.T, deletion int64, ours, theirs rollout) {
	t.Helper()
	check := func(what string, a, b, limit float64) {
		if a > limit*b {
			t.Errorf("deletion of %d s: %s: %.1f, and %.1f of KubeadmControlPlane; want at most %.0f %%", deletion, what, a,
				b, 100*limit)
		}
	}
	if deletion > 0 {
		check("seconds", ours.total.Seconds(), theirs.total.Seconds(), maxTime)
	} else {
		check("idle seconds", ours.idle.Seconds(), theirs.idle.Seconds(), maxIdle)
	}
	check("requests", float64(sum(ours.used.management)), float64(sum(theirs.used.management)), maxRequests)
}

// startKubeadmPlanes starts the managers of KubeadmControlPlanes and KubeadmConfigs.
func startKubeadmPlanes(t *testing.T) meter {
	t.Helper()
	g := NewWithT(t)
	g.Expect(env.InstallKubeadmProvider(env.ctx)).To(Succeed())
	g.Expect(env.InstallKubeadmPlanes(env.ctx)).To(Succeed())
	bootstrap, err := env.StartKubeadmProvider(env.ctx)
	g.Expect(err).NotTo(HaveOccurred())
	planes, err := env.StartKubeadmPlanes(env.ctx)
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		g.Expect(planes.Stop()).To(Succeed())
		g.Expect(bootstrap.Stop()).To(Succeed())
	})
	return meter{
		process: planes, user: controlplane.KubeadmPlanesUser, agent: "cluster-api-kubeadm-control-plane-manager",
	}
}

// roll creates a control plane and measures the replacement of its machines.
func (c contender) roll(t *testing.T, deletion int64) rollout {
	t.Helper()
	prefix := fmt.Sprintf("%s-%d", strings.ToLower(c.name), deletion)
	f := newFleet(t, prefix, c.manifest, 1, map[string]any{"bootSeconds": int64(5), "deletionSeconds": deletion})
	f.create()
	f.complete()
	events := follow(t, f.names[0])
	longest := f.probe()
	before := c.meter.read(t)
	events.reset()
	f.roll()
	idle, after, gap := events.read(), c.meter.read(t), longest()
	return rollout{total: after.at.Sub(before.at), idle: idle, gap: gap, used: after.since(before)}
}

const (
	probePeriod  = 100 * time.Millisecond
	probeTimeout = 5 * time.Second
)

// probe sends requests to the API server of the first cluster. The returned function ends this, and returns the longest
// time without an answer.
func (f *fleet) probe() func() time.Duration {
	f.t.Helper()
	cluster := &clusterv1.Cluster{}
	key := client.ObjectKey{Namespace: f.names[0], Name: f.names[0]}
	f.Expect(env.Client.Get(f.t.Context(), key, cluster)).To(Succeed())
	url := "https://" + cluster.Spec.ControlPlaneEndpoint.String() + "/"
	//nolint:gosec // only the time of the answer matters
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	c := &http.Client{Transport: transport, Timeout: probeTimeout}
	ctx, stop := context.WithCancel(f.t.Context())
	result := make(chan time.Duration, 1)
	go func() {
		var longest time.Duration
		last := time.Now()
		for ctx.Err() == nil {
			if answers(ctx, c, url) {
				longest, last = max(longest, time.Since(last)), time.Now()
			}
			select {
			case <-ctx.Done():
			case <-time.After(probePeriod):
			}
		}
		result <- longest
	}()
	return func() time.Duration {
		stop()
		return <-result
	}
}

func answers(ctx context.Context, c *http.Client, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := c.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode < http.StatusInternalServerError
}
