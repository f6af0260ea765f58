package hosts

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
)

// TestTemplatesWaitForTheRelease expects that Cluster API tries to delete a Node for longer than the reset of its host
// takes. It deletes the Node after the reset, and the time is that since the deletion of the Machine.
func TestTemplatesWaitForTheRelease(t *testing.T) {
	timeout := regexp.MustCompile(`nodeDeletionTimeoutSeconds: (\d+)`)
	for _, name := range []string{"cluster-template.yaml", "cluster-template-image.yaml"} {
		text, err := os.ReadFile("../../../config/hosts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := timeout.FindAllSubmatch(text, -1)
		if len(found) != 2 {
			t.Errorf("%s: %d of the control plane and the workers set the timeout", name, len(found))
		}
		for _, match := range found {
			seconds, _ := strconv.Atoi(string(match[1]))
			if limit := host.DefaultTimeouts().Release; time.Duration(seconds)*time.Second <= limit {
				t.Errorf("%s: %d seconds, and the release may take %s", name, seconds, limit)
			}
		}
	}
}
