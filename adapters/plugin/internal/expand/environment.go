package expand

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// ProxyEnvironment is the environment file with the machine's proxy. Services and the bootstrap program read it.
const ProxyEnvironment = "/etc/machineadm/proxy.env"

// Environment returns the proxy as lines of an environment file. Each variable is in upper and in lower case, because
// programs read either. Missing URLs become empty values, which override those of an earlier file.
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

// EnvironmentDropIn returns the text of a drop-in that makes a service read the environment file, if it exists.
func EnvironmentDropIn(file string) string { return "[Service]\nEnvironmentFile=-" + file + "\n" }

// OwnProxy returns the environment file with a separate proxy for one service, and the drop-in that makes the service
// read it after the machine's proxy. Without a proxy both are empty.
func OwnProxy(service string, p *machine.ProxyConfig) ([]action.Operation, []machine.DropIn) {
	if p == nil {
		return nil, nil
	}
	file := "/etc/machineadm/" + service + "-proxy.env"
	dropIn := machine.DropIn{Name: "60-machineadm-own-proxy.conf", Content: document.Text(EnvironmentDropIn(file))}
	return []action.Operation{SecretFile(file, Environment(*p))}, []machine.DropIn{dropIn}
}
