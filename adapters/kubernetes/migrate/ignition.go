package migrate

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// ignition converts a Container Linux Config, which is a snippet of the format ignition-v2.
func (s *specs) ignition(in field) {
	config := in.get("additionalConfig")
	if !config.exists() {
		in.get("strict").take()
		return
	}
	snippet := put(mapping(), "format", text("ignition-v2"))
	put(snippet, "text", config.take())
	move(in.get("strict"), snippet, "strict")
	extend(s.out, "formatOptions.snippets", snippet)
}

// format sets the format that the kubeadm provider renders, if it is not the default of the operating system. Without
// one, the provider renders cloud-config.
func (s *specs) format(in field) {
	profile, _ := osprofile.Lookup(s.os.Distribution)
	want := delivery.FormatCloudInit
	switch in.text() {
	case "ignition":
		want = delivery.FormatIgnitionV2
	case "", "cloud-config":
	default:
		in.report(Decision, "the format %q is not known; the output has the default of the operating system", in.text())
		return
	}
	in.take()
	if profile.DefaultFormat() == delivery.FormatCloudbaseInit || profile.DefaultFormat() == want {
		return
	}
	if _, supported := profile.Supports(want); !supported {
		in.add(in, Note, "the format is %s, the default of %s", profile.DefaultFormat(), profile.Name)
		return
	}
	set(s.out, "format", text(string(want)))
	in.add(in, Changed, "%s is what the kubeadm provider renders; remove it for %s, the default of %s", want,
		profile.DefaultFormat(), profile.Name)
}
