package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/client-go/discovery"

	"github.com/machineadm/machineadm/test/controlplane"
)

// serverCPU returns how many seconds of processor time the API server has used. Unlike seconds on the clock, they say
// the same on a machine that has other work to do.
func serverCPU(ctx context.Context, c *controlplane.ControlPlane) (float64, error) {
	d, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return 0, fmt.Errorf("read the API server's metrics: %w", err)
	}
	data, err := d.RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the API server's metrics: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), "process_cpu_seconds_total "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, errors.Join(errors.New("the API server tells no processor time"), lines.Err())
}
