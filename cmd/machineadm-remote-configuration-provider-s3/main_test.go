//go:build linux && !unit

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// TestAgentFetchesFromABucket lets the agent on Debian fetch its configuration from a real S3 server with this plugin,
// which reads the credentials from the documented file.
func TestAgentFetchesFromABucket(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	site := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n  path: /etc/example\n  content: from the bucket\n"
	if err := os.WriteFile(filepath.Join(server.Dir, "machines", "site.yaml"), []byte(site), 0o600); err != nil {
		t.Fatal(err)
	}
	root := debian.New(t, "bookworm").Mount(t)
	debian.Mount(t, "devtmpfs", root+"/dev", "devtmpfs", 0, "")
	for name, dir := range map[string]string{
		"machineadm": "/usr/bin", "machineadm-remote-configuration-provider-s3": "/usr/libexec/machineadm",
	} {
		if err := programs.Install(t.Context(), root+dir, name); err != nil {
			t.Fatal(err)
		}
	}
	config, err := codec.Codec{}.Encode([]document.Document{{Value: indirect.RemoteConfig{
		Provider: "s3", URI: "s3://machines/site.yaml", CABundle: string(server.CA),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	apply := func(secretKey string) (file, output string) {
		t.Helper()
		env := "AWS_ACCESS_KEY_ID=" + s3server.AccessKeyID + "\nAWS_SECRET_ACCESS_KEY=" + secretKey + "\nAWS_ENDPOINT_URL=" +
			server.Endpoint + "\nAWS_S3_PATH_STYLE=true\n"
		for name, text := range map[string]string{"s3.env": env, "machineadm_config.yaml": string(config)} {
			if err := os.MkdirAll(root+"/etc/machineadm", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, "etc/machineadm", name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "chroot", root, "/usr/bin/machineadm", "apply", "--phase", "file")
		out, _ := cmd.CombinedOutput()
		content, _ := os.ReadFile(root + "/etc/example")
		return string(content), string(out)
	}
	if file, output := apply("wrong"); file != "" || !strings.Contains(output, "the server denies it to this machine") {
		t.Errorf("with another's key: %q\n%s", file, output)
	}
	if file, output := apply(s3server.SecretAccessKey); file != "from the bucket" {
		t.Errorf("%q\n%s", file, output)
	}
}
