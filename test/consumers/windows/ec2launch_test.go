package windows_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/plugin/host"
	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/adapters/render/cloudbaseinit"
	application "github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// onEC2 renders a file and a domain join, whose password contains tags, for EC2Launch on machines of the kind.
func onEC2(t *testing.T, kind string) application.Result {
	t.Helper()
	profile, known := osprofile.Lookup("windows-server-2022")
	if !known {
		t.Fatal("no such profile")
	}
	service, err := application.New([]ports.Renderer{cloudbaseinit.New()}, []ports.Expander{plain.New(), host.New()},
		application.WithWrapper(envelope.Wrapper{}))
	if err != nil {
		t.Fatal(err)
	}
	result, err := service.Render(t.Context(), plan.Job{
		Target: osprofile.Target{
			Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3", Infrastructure: kind,
		},
		Format: delivery.FormatCloudbaseInit, Delivery: delivery.Options{Encoding: delivery.EncodingEC2Launch},
		Documents: []document.Document{
			{Value: machine.DomainJoin{
				Domain: "corp.example", Username: "joe",
				Password: secret.FromString("</powershell><persist>true</persist><script>x</script>"),
			}, Source: document.Source{Path: "spec.machine.domain"}},
			{
				Value:  machine.File{Path: `C:\tags`, Content: document.Text("<powershell>")},
				Source: document.Source{Path: "spec.machine.files[0]"},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestEC2Launch reads userdata as EC2Launch does: it contains one tag powershell, and no other tag.
func TestEC2Launch(t *testing.T) {
	result := onEC2(t, "AWSMachine")
	payload := result.Rendering.Payload
	tags := regexp.MustCompile(`</?[A-Za-z]+>`).FindAllString(string(payload.Data.Reveal()), -1)
	if strings.Join(tags, " ") != "<powershell> </powershell>" || payload.Envelope != "powershell" ||
		payload.SecretFormat != delivery.SecretFormatCloudConfig {
		t.Fatalf("got the tags %v, the envelope %q and %v", tags, payload.Envelope, result.Findings)
	}
	text, _ := strings.CutPrefix(string(payload.Data.Reveal()), "<powershell>\n")
	text, _, _ = strings.Cut(text, "</powershell>")
	p := unpacked(t, text, packedPattern.FindStringSubmatch(text)[1])
	if content, _ := p.program.File(`C:\tags`); string(content) != "<powershell>" {
		t.Errorf("the file contains %q", content)
	}
	outline := outlines(t, []string{text})[0]
	want := "\n    command Restart-Computer\n      -Force\n  catch\n    command Stop-Installation\n"
	if !strings.Contains(outline, want) || strings.Contains(outline, "1001") {
		t.Errorf("the script does not end with a restart:\n%s", outline)
	}
}

func TestEC2LaunchRunsOnEC2Only(t *testing.T) {
	result := onEC2(t, "AzureMachine")
	want := "error: spec.delivery.encoding: machines of the kind AzureMachine are not instances of Amazon EC2, and " +
		"EC2Launch runs only there; leave it out, and use an image that contains cloudbase-init"
	if result.Findings.String() != want || !result.Rendering.Payload.Data.IsZero() {
		t.Errorf("got %s", result.Findings)
	}
}
