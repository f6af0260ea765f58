package nodecli_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/nodecli"
)

// TestConfigurationOnWindows verifies that the agent removes the file that userdata of Windows writes after success.
// The drive is a directory of this machine.
func TestConfigurationOnWindows(t *testing.T) {
	drive := t.TempDir()
	at := filepath.Join(drive, "ProgramData/machineadm/machineadm_config.yaml")
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	o := nodecli.Options{
		Out: &output, Err: &output, Userdata: nodecli.Windows(), Program: `C:\a.exe`,
		Open: opener(memory.NewHost(), &memory.Journal{}, &memory.Resumption{}),
	}
	o.Userdata.Drive = drive
	if err := os.WriteFile(at, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := nodecli.Run(t.Context(), o, []string{"apply"}); code != nodecli.ExitOK {
		t.Errorf("exit code %d: %s", code, output.String())
	}
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the configuration is still there: %v", err)
	}
}
