package hostile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hostile"
)

// places are texts with a word in each place in which the languages of snippets have keys, names and values.
func places(word string) []string {
	var all []string
	heads := []string{"", "variant: flatcar\nversion: 1.1.0\n"}
	bodies := []string{
		"%s: a", "%s: {b: c}", "%s: a\n%[1]s: b", "storage: {%s: a}", "storage: {files: [{path: /a, %s: b}]}",
		"storage: {files: [{path: /a, contents: {%s: b}}]}",
		"storage: {disks: [{device: /dev/a, partitions: [{label: a, %s: b}]}]}",
		"systemd: {units: [{name: a.service, %s: b}]}", "systemd: {%s: []}", "passwd: {users: [{name: a, %s: b}]}",
		"ignition: {%s: a}", "kernel_arguments: {%s: [a]}", "users: [{name: a, %s: b}]", "write_files: [{path: /a, %s: b}]",
		"ntp: {%s: a}", "runcmd: [{%s: a}]", "%s: [a\n",
		"machine: {%s: a}", "machine: {install: {%s: a}}", "machine: {nodeLabels: {'a/b c/%s': d}}",
		"machine: {sysctls: {%s: [a]}}", "cluster: {%s: {a: b}}",
		"cluster: {network: {%s: a}}", `[{"op": "replace", "path": "/machine/%s", "value": 1}]`,
		`[{"op": "add", "path": "/machine/network/%s/x", "value": {"a": 1}}]`,
		"%s = 1", "settings.%s = 1", "settings.kubernetes.%s = 1", "[settings.%s]\na = 1",
		"[settings.kubernetes.node-labels]\n\"a b %s\" = \"c\"", "[%s]\na = 1", "a: {? [%s] : b}", "a: *%s",
	}
	for _, head := range heads {
		for _, body := range bodies {
			all = append(all, head+fmt.Sprintf(body, word)+"\n")
		}
	}
	return all
}

// TestFindingsRepeatNoKeyOfASecret plants a secret in each place of snippets in all languages. Without the mark that
// the snippet came from a Secret some findings name it, as a key.
func TestFindingsRepeatNoKeyOfASecret(t *testing.T) {
	service, err := render.New(formats.Builtin(), plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	named, documents := 0, hostile.Cases()[0].Documents
	for _, r := range formats.Builtin() {
		for _, text := range places(canary.Mark) {
			for _, secret := range []bool{false, true} {
				request := plan.Job{
					Documents: documents, Target: catalogtest.Target(t, r), Format: r.Format(),
					Snippets: []plan.Snippet{{
						Snippet: delivery.Snippet{Format: r.Format().SnippetFormat(), Text: text, Strict: true},
						Source:  document.Source{Path: "spec.formatOptions.snippets[0].textFrom"}, Secret: secret,
					}},
				}
				result, err := service.Render(t.Context(), request)
				message := result.Findings.String() + fmt.Sprint(err)
				switch repeated := strings.Contains(message, canary.Mark); {
				case repeated && secret:
					t.Errorf("%s: %q: %s", r.Format(), text, message)
				case repeated:
					named++
				}
			}
		}
	}
	if named == 0 {
		t.Error("no finding names a key: nothing was tried")
	}
}
