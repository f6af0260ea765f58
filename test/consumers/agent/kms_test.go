package agent_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/awsdouble"
	"github.com/machineadm/machineadm/test/canary"
)

// TestKeyOfAWS has the real plugin, with its settings in files of AWS's own form, encrypt and decrypt at a terminal.
// The service is a double that verifies signatures.
func TestKeyOfAWS(t *testing.T) {
	const key = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
	double := awsdouble.New(t, key)
	terminal, dir := built(t, "machineadmctl"), t.TempDir()
	const plugin = "machineadm-plugin-encryption-provider-aws-kms"
	tree := filepath.Join(dir, "upper")
	write(t, tree+"/etc/machineadm/aws/config", "[default]\nendpoint_url = "+double.URL+"\nmax_attempts = 2\n")
	write(t, tree+"/etc/machineadm/aws/credentials", "[default]\naws_access_key_id = "+double.ID+
		"\naws_secret_access_key = "+double.Secret+"\n")
	content, err := os.ReadFile(built(t, plugin))
	must(t, err)
	write(t, tree+"/usr/libexec/machineadm/"+plugin, string(content))
	must(t, os.Chmod(tree+"/usr/libexec/machineadm/"+plugin, 0o755))

	plain := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n  path: /etc/app\n  content: " + canary.Mark + "\n"
	sealed, stderr, err := inTree(t, dir, terminal+" encrypt -f - --machine m --identity --provider aws-kms --key "+key,
		plain)
	if err != nil || !strings.Contains(sealed, "@"+key) || strings.Contains(sealed, canary.Mark) {
		t.Fatalf("encrypt: %v\n%s", err, stderr)
	}
	if opened, stderr, err := inTree(t, dir, terminal+" decrypt -f -", sealed); opened != plain || err != nil {
		t.Errorf("decrypt: %v\n%s\n%s", err, opened, stderr)
	}
	for name, c := range map[string]struct{ exception, want string }{
		"refusing": {"AccessDeniedException", "the key management service refuses: Decrypt: AccessDeniedException"},
		"failing":  {"KMSInternalException", "the key management service cannot be reached"},
	} {
		double.Response = func() (string, int) { return c.exception, map[string]int{"refusing": 400, "failing": 500}[name] }
		if opened, stderr, err := inTree(t, dir, terminal+" decrypt -f -", sealed); err == nil || opened != "" ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("%s: %v\n%s", name, err, stderr)
		}
	}
}

// inTree runs a command with the folder's upper laid over /etc and /usr, and returns its standard output and standard
// error.
func inTree(t *testing.T, dir, command, input string) (string, string, error) {
	t.Helper()
	overlay := "set -e; cd " + dir + "; for d in /etc /usr; do mkdir -p upper$d work$d; mount -t overlay overlay -o " +
		"lowerdir=$d,upperdir=upper$d,workdir=work$d $d; done; exec "
	c := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", overlay+command)
	var stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(input), &stderr
	out, err := c.Output()
	return string(out), stderr.String(), err
}
