package host_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/host"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestExpand(t *testing.T) {
	join := machine.DomainJoin{Domain: "corp.example", Username: "joiner", Password: secret.FromString("x")}
	cases := map[string]struct {
		reason, distribution string
		value                document.Value
		want                 string
	}{
		"Debian": {
			reason: "its locale has a place of its own", distribution: "ubuntu",
			value: machine.HostConfig{TimeZone: "W. Europe Standard Time", Locale: "de-DE"},
			want: `
file: link /etc/localtime to /usr/share/zoneinfo/Europe/Berlin
file: run look for the time zone
| test -e /etc/localtime
file: write /etc/default/locale (0644)
| LANG=de_DE.UTF-8`,
		},
		"Flatcar": {
			distribution: "flatcar", value: machine.HostConfig{Locale: "en-US"},
			want: "file: write /etc/locale.conf (0644)\n| LANG=en_US.UTF-8",
		},
		"Linux refuses": {
			reason: "nothing is left out in silence", distribution: "rocky",
			value: machine.HostConfig{Hostname: "a", UILanguage: "de-DE", Keyboard: "de-DE", Locale: "sr-Latn-RS"},
			want: `
error: doc.hostname: the platform names a machine of Rocky Linux; for the name in Kubernetes, set ` +
				`spec.node.name or spec.node.nameParts; to change the machine's own name, write /etc/hostname with ` +
				`spec.machine.files, or run hostnamectl set-hostname in preCommands
error: doc.uiLanguage: Rocky Linux has no menus; leave it out
error: doc.keyboard: the image of Rocky Linux sets the keyboard; leave it out
error: doc.locale: the locales of Rocky Linux have a language and a country; write it as de-DE`,
		},
		"Linux refuses a random name": {
			reason: "the finding names the field that is set", distribution: "debian",
			value: machine.HostConfig{RandomHostname: true},
			want: "error: doc.randomHostname: the platform names a machine of Debian; for the name in Kubernetes, set " +
				"spec.node.name or spec.node.nameParts; to change the machine's own name, write /etc/hostname with " +
				"spec.machine.files, or run hostnamectl set-hostname in preCommands",
		},
		"Linux in a domain": {
			distribution: "debian", value: join,
			want: "error: doc: Debian joins a domain only with programs of its image; run them in " +
				"preCommands, such as: realm join",
		},
		"Windows": {distribution: "windows-server-2022", value: machine.HostConfig{
			Hostname: "win-1",
			TimeZone: "Europe/Berlin",
		}, want: "trust: configure the host"},
		"Windows in a domain": {
			distribution: "windows-server-2025", value: join, want: "trust: join the domain corp.example",
		},
		"Windows refuses": {
			distribution: "windows-server-2022", value: machine.HostConfig{
				Hostname: "windows-node-016",
				TimeZone: "Europe/Vaduz",
			},
			want: `
error: doc.hostname: "windows-node-016" has 16 characters; a computer name on Windows has at most 15; use a ` +
				`shorter name, or randomHostname
error: doc.timeZone: Windows has no time zone for "Europe/Vaduz"; write a name that tzutil /l lists, such as W. ` +
				`Europe Standard Time`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, host.New(), plugintest.Target(t, tc.distribution), tc.value)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, host.New(), plugintest.Target(t, "ubuntu"))
}
