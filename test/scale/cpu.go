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

// serverCPU returns the processor time of the API server in seconds. Unlike elapsed time, it does not depend on the
// machine's other work.
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
	return 0, errors.Join(errors.New("the API server reports no processor time"), lines.Err())
}
