package bottlerocket

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
)

// systemSettings are those of the operating system.
func systemSettings() []setting {
	module := pattern("at most 56 letters, digits, hyphens and underscores", `^[A-Za-z0-9_-]{1,56}$`)
	kernel := "settings-models: settings-extensions/kernel, modeled-types/shared.rs; core-kit: packages/os/corndog-toml"
	network := "settings-models: settings-extensions/network; core-kit: packages/release/proxy-env"
	pki := "bottlerocket.dev: settings.pki; " + sharedTypes + ": PemCertificateString"
	return []setting{
		{key: "ntp.time-servers", is: list(address()), source: "settings-models: settings-extensions/ntp; core-kit: " +
			"packages/chrony/chrony-conf"},
		{key: "ntp.options", is: list(line()), source: "settings-models: settings-extensions/ntp"},
		{key: "kernel.sysctl.*", name: sysctlName(), is: quoted(), source: kernel},
		{key: "kernel.modules.*.allowed", name: module, is: boolean(), source: kernel},
		{key: "kernel.modules.*.autoload", name: module, is: boolean(), source: kernel},
		{key: "kernel.lockdown", is: oneOf("none", "integrity", "confidentiality"), source: kernel},
		{key: "network.hostname", is: hostname(), source: network},
		{key: "network.hosts", is: anything(), source: network},
		{key: "network.https-proxy", is: address(), source: network},
		{key: "network.no-proxy", is: list(plain()), source: network},
		{key: "pki.*.data", name: identifier(), is: certificates(), source: pki},
		{key: "pki.*.trusted", name: identifier(), is: boolean(), source: pki},
	}
}

// sysctlName is a path below /proc/sys.
func sysctlName() constraint {
	word := pattern("at most 128 letters, digits and ./_- without two dots in a row",
		`^[A-Za-z0-9_][A-Za-z0-9./_-]{0,127}$`)
	return text(word.takes, func(s string) bool { return word.ok(s) && !strings.Contains(s, "..") })
}

// certificates are base64 of PEM blocks that are certificates.
func certificates() constraint {
	return text("base64 of certificates in PEM", func(s string) bool {
		rest, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil {
			return false
		}
		found := 0
		for {
			var block *pem.Block
			if block, rest = pem.Decode(rest); block == nil {
				return found > 0
			}
			if _, err := x509.ParseCertificate(block.Bytes); err != nil {
				return false
			}
			found++
		}
	})
}

// registrySettings are tables in lists; each row is a field of such a table.
func registrySettings() []setting {
	source := "settings-models: settings-extensions/container-registry; core-kit: " +
		"packages/containerd/containerd-config-toml_k8s_containerd_sock"
	return []setting{
		{key: "container-registry.mirrors.[].registry", is: plain(), source: source},
		{key: "container-registry.mirrors.[].endpoint", is: list(address()), source: source},
		{key: "container-registry.credentials.[].registry", is: plain(), source: source},
		{key: "container-registry.credentials.[].username", is: quoted(), source: source},
		{key: "container-registry.credentials.[].password", is: quoted(), source: source},
		{key: "container-registry.credentials.[].auth", is: base64Text(), source: source},
		{key: "container-registry.credentials.[].identitytoken", is: quoted(), source: source},
	}
}

// snippetSettings are those for which machineadm has no words; a snippet may set them.
func snippetSettings() []setting {
	named := func(key string, is constraint) setting {
		return setting{
			key: key, name: identifier(), is: is,
			source: "settings-models: settings-extensions of that name; " + sharedTypes,
		}
	}
	open := func(key string) setting {
		return setting{key: key + ".**", is: anything(), source: "settings-models: settings-models/src/lib.rs"}
	}
	return []setting{
		{key: "motd", is: constraint{takes: "text", ok: func(v any) bool {
			_, is := v.(string)
			return is
		}}, source: "settings-models: settings-extensions/motd"},
		named("host-containers.*.source", address()),
		named("host-containers.*.enabled", boolean()),
		named("host-containers.*.superpowered", boolean()),
		named("host-containers.*.user-data", base64Text()),
		named("host-containers.*.command", list(line())),
		named("bootstrap-containers.*.source", address()),
		named("bootstrap-containers.*.mode", oneOf("off", "once", "always")),
		named("bootstrap-containers.*.essential", boolean()),
		named("bootstrap-containers.*.user-data", base64Text()),
		named("bootstrap-containers.*.command", list(line())),
		named("bootstrap-commands.*.commands", list(list(line()))),
		named("bootstrap-commands.*.mode", oneOf("off", "once", "always")),
		named("bootstrap-commands.*.essential", boolean()),
		open("autoscaling"), open("aws"), open("boot"), open("cloudformation"), open("container-runtime"),
		open("container-runtime-plugins"), open("dns"), open("image-verifier-plugins"), open("kernel.hugepages"),
		open("kernel.drivers"),
		open("kubelet-device-plugins"), open("kubelet-dra-drivers"), open("measurement"), open("metrics"),
		open("nvidia-container-runtime"), open("oci-defaults"), open("oci-hooks"), open("updates"),
	}
}
