package expand

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// ProxyEnvironment is the file with the machine's proxy. Services read it, and so does the program that bootstraps.
const ProxyEnvironment = "/etc/machineadm/proxy.env"

// Environment returns the proxy as the lines of an environment file, in capitals and in small letters, since programs
// disagree about which they read. Missing addresses are written as empty values, which override those of an earlier
// file.
func Environment(p machine.ProxyConfig) []byte {
	var b strings.Builder
	// These four have a meaning between double quotes, to the shell and to systemd's EnvironmentFile (systemd.exec(5))
	// alike, so that both read the same file.
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`")
	for _, v := range []struct{ name, value string }{
		{"HTTP_PROXY", string(p.HTTPProxy.Reveal())},
		{"HTTPS_PROXY", string(p.HTTPSProxy.Reveal())},
		{"NO_PROXY", strings.Join(p.NoProxy, ",")},
	} {
		value := `="` + escaped.Replace(v.value) + "\"\n"
		b.WriteString(v.name + value + strings.ToLower(v.name) + value)
	}
	return []byte(b.String())
}

// EnvironmentDropIn returns the text of a drop-in by which a service reads the environment file, if it is there.
func EnvironmentDropIn(file string) string { return "[Service]\nEnvironmentFile=-" + file + "\n" }

// OwnProxy returns the file that gives one service a proxy of its own, and the drop-in by which the service reads it,
// after that of the machine's proxy. Without a proxy both are empty.
func OwnProxy(service string, p *machine.ProxyConfig) ([]action.Operation, []machine.DropIn) {
	if p == nil {
		return nil, nil
	}
	file := "/etc/machineadm/" + service + "-proxy.env"
	dropIn := machine.DropIn{Name: "60-machineadm-own-proxy.conf", Content: EnvironmentDropIn(file)}
	return []action.Operation{SecretFile(file, Environment(*p))}, []machine.DropIn{dropIn}
}
