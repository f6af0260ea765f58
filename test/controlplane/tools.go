package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/machineadm/machineadm/test/programs"
)

// Tool returns the path of a real program by its name in hack/tool.sh, which builds it if it is not there yet. A
// variable of the environment such as KUBE_APISERVER names another build.
func Tool(ctx context.Context, name string) (string, error) {
	if path := os.Getenv(programs.Variable(name)); path != "" {
		return path, nil
	}
	return programs.Script(ctx, "tool.sh", name)
}

// ModuleDir returns the folder of a dependency's source, which contains its manifests. The module is looked up in the
// tools folder that pins it, or in the project's own go.mod for an empty folder. It is downloaded if it is missing: a
// program that was built from it may be cached for longer.
func ModuleDir(ctx context.Context, tools, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = filepath.Join(programs.Root(), tools)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find module %s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", fmt.Errorf("find module %s: %w", module, err)
	}
	return found.Dir, nil
}
