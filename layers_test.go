package machineadm_test

import "slices"

// layer is a row of the dependency rule.
type layer struct {
	// folder contains the row's packages, also in folders below it. One element may be *, which matches any name: each
	// such folder is a separate room, and rooms of the same row do not import each other.
	folder string
	// imports are the folders that the row's packages may import, in addition to their own room.
	imports []string
	// modules are the third-party modules that the row's packages may import; "*" is any.
	modules []string
	// mustNotLink are prefixes of packages that must not be linked, not even through other packages.
	mustNotLink []string
	// bars are packages of the standard library that the row's packages must not import.
	bars []string
	// adr is the number of the decision in docs/adr.
	adr string
}

// layers is the dependency rule: every package of the module belongs to the row with the longest folder that contains
// it.
//
// A clock is not a package: golangci-lint (forbidigo) forbids reading the time.
func layers() []layer {
	cluster := []string{"k8s.io/", "sigs.k8s.io/controller-runtime", "sigs.k8s.io/cluster-api"}
	agentless := append(slices.Clone(cluster), module+"/adapters/render")
	// Archived parsers: they read no text of users (ADR 0059).
	archived := append(slices.Clone(cluster), "github.com/flatcar/container-linux-config-transpiler", "go4.org",
		"github.com/ajeddeloh/go-json")
	outside := []string{
		"os", "os/exec", "os/signal", "os/user", "io/fs", "io/ioutil", "path/filepath", "embed", "syscall",
		"unsafe", "net/http",
		"math/rand", "math/rand/v2", "crypto/rand", "log", "runtime", "text/template", "html/template", "encoding/json",
		"encoding/xml",
	}
	pure := []string{
		"text/template", "html/template", "math/rand", "math/rand/v2", "crypto/rand", "os",
		"os/exec", "net/http",
	}
	return []layer{
		{folder: ".", adr: "0001"},
		{folder: "domain", bars: outside, adr: "0001"},
		{folder: "ports", imports: []string{"domain"}, adr: "0001"},
		{
			folder: "ports/portstest", imports: []string{"domain", "ports"},
			modules: []string{"github.com/google/go-cmp"}, adr: "0012",
		},
		{folder: "app", imports: []string{"domain", "ports"}, mustNotLink: cluster, adr: "0001"},
		// Code that adapters of several kinds share. It knows nothing of them.
		{folder: "adapters/internal", imports: []string{"domain"}, mustNotLink: agentless, bars: pure, adr: "0001"},
		{
			folder: "adapters/internal/atomicfile", imports: []string{"adapters/internal"}, mustNotLink: agentless,
			adr: "0001",
		},
		{
			// Sessions with members wrap the errors of the ports.
			folder: "adapters/internal/etcdmembers", imports: []string{"domain", "ports"}, mustNotLink: agentless, bars: pure,
			adr: "0079",
		},
		{
			folder: "adapters/internal/linediff", modules: []string{"github.com/rogpeppe/go-internal"}, mustNotLink: agentless,
			bars: pure, adr: "0001",
		},
		{
			folder: "adapters/internal/terminal", modules: []string{"go.yaml.in/yaml/v3"}, mustNotLink: agentless, bars: pure,
			adr: "0001",
		},
		{folder: "adapters/internal/httpclient", imports: []string{"domain"}, mustNotLink: agentless, adr: "0001"},
		{
			folder:  "adapters/render/internal",
			imports: []string{"domain", "ports", "adapters/internal", "adapters/structured"},
			modules: []string{"*"}, mustNotLink: cluster,
			bars: pure, adr: "0013",
		},
		{
			folder: "adapters/render/*",
			imports: []string{
				"domain", "ports", "adapters/internal", "adapters/render/internal", "adapters/structured",
			},
			modules:     []string{"*"},
			mustNotLink: archived, bars: pure, adr: "0013",
		},
		{
			folder: "adapters/plugin/internal", imports: []string{"domain", "ports", "adapters/structured"},
			modules: []string{"*"}, mustNotLink: cluster,
			bars: pure, adr: "0002",
		},
		{
			folder: "adapters/plugin/*",
			imports: []string{
				"domain", "ports", "adapters/internal", "adapters/plugin/internal", "adapters/structured",
			},
			modules:     []string{"*"},
			mustNotLink: cluster, bars: pure, adr: "0002",
		},
		{folder: "adapters/envelope", imports: []string{"domain", "ports"}, mustNotLink: cluster, bars: pure, adr: "0026"},
		{
			// Text of users is counted in one place, before the library of any format decodes it.
			folder: "adapters/structured", imports: []string{"domain"}, modules: []string{
				"go.yaml.in/yaml/v3",
				"github.com/pelletier/go-toml/v2",
			},
			mustNotLink: agentless, bars: pure, adr: "0059",
		},
		{
			// The agent reads with it, and the controller writes.
			folder: "adapters/codec", imports: []string{"domain", "ports", "adapters/structured"}, modules: []string{"*"},
			mustNotLink: cluster, bars: pure, adr: "0030",
		},
		{
			// Both who encrypts and who decrypts; with the standard library alone.
			folder: "adapters/seal", imports: []string{"domain", "ports"}, mustNotLink: agentless, adr: "0040",
		},
		{
			folder: "adapters/age", imports: []string{"domain", "ports"}, modules: []string{"filippo.io/age"},
			mustNotLink: agentless, adr: "0081",
		},
		{
			// Linked by plugins alone, never by the agent. KMS v2 is an interface of Kubernetes, without its machinery.
			folder: "adapters/kms/*", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: []string{
				"k8s.io/client-go", "k8s.io/apimachinery", "sigs.k8s.io/controller-runtime",
				"sigs.k8s.io/cluster-api",
			}, adr: "0051",
		},
		{
			folder: "adapters/pluginhost", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: agentless,
			adr:         "0033",
		},
		{
			// What authors of plugins import brings the codec along, so that they need not know of it.
			folder:  "adapters/pluginhost/sdk",
			imports: []string{"domain", "ports", "adapters/codec", "adapters/pluginhost"}, modules: []string{"*"},
			mustNotLink: agentless, adr: "0033",
		},
		{
			folder: "adapters/nodecli", imports: []string{"domain", "ports", "app", "adapters/internal"}, modules: []string{
				"github.com/spf13/cobra",
				"sigs.k8s.io/yaml",
			},
			mustNotLink: agentless, adr: "0020",
		},
		{
			folder: "adapters/source/*", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: agentless, adr: "0033",
		},
		{
			folder: "adapters/storage/*", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: cluster, adr: "0037",
		},
		{
			// Linked by the agent; of etcd it has the client and the library of its storage alone.
			folder: "adapters/etcd", imports: []string{"domain", "ports"}, modules: []string{"*"},
			mustNotLink: append(slices.Clone(agentless), "go.etcd.io/etcd/server"), adr: "0056",
		},
		{
			// The generated client of the machine API; not Talos' own client, which links keys of other products.
			folder: "adapters/talosapi", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: append(slices.Clone(agentless), "github.com/siderolabs/talos/pkg/machinery/client"), adr: "0079",
		},
		{
			folder: "adapters/upload", imports: []string{"domain", "ports", "adapters/internal"},
			modules:     []string{"github.com/cenkalti/backoff/v5"},
			mustNotLink: agentless, adr: "0043",
		},
		{
			folder: "adapters/hostdriver/internal", imports: []string{"domain", "ports", "adapters/internal"},
			modules: []string{"golang.org/x/sys"}, mustNotLink: agentless, adr: "0075",
		},
		{
			// The controller links the drivers, and the agent does not.
			folder:  "adapters/hostdriver/*",
			imports: []string{"domain", "ports", "adapters/internal", "adapters/hostdriver/internal"},
			modules: []string{"*"}, mustNotLink: agentless, adr: "0075",
		},
		{folder: "adapters/signature", imports: []string{"domain", "ports"}, mustNotLink: agentless, adr: "0053"},
		{
			folder: "adapters/record", imports: []string{"domain", "ports", "adapters/internal"}, mustNotLink: agentless,
			adr: "0020",
		},
		{
			folder: "adapters/system/*", imports: []string{"domain", "ports", "adapters/internal"}, modules: []string{"*"},
			mustNotLink: agentless, adr: "0020",
		},
		{
			// It calls use cases, as reconcilers and terminals do, and knows nothing of who keeps what it takes.
			folder: "adapters/endpoint", imports: []string{"domain", "ports", "app", "adapters/internal"},
			modules:     []string{"*"},
			mustNotLink: cluster, adr: "0043",
		},
		{folder: "config", adr: "0004"},
		{folder: "adapters/kubernetes/api", modules: []string{"*"}, adr: "0004"},
		{
			folder: "adapters/kubernetes/admission", imports: []string{"domain", "config"}, modules: []string{"*"},
			mustNotLink: []string{"sigs.k8s.io/controller-runtime"}, adr: "0004",
		},
		{
			folder:  "adapters/kubernetes/convert",
			imports: []string{"domain", "ports", "adapters/kubernetes/api", "adapters/structured"},
			modules: []string{"*"}, mustNotLink: []string{"sigs.k8s.io/controller-runtime", "k8s.io/client-go/kubernetes"},
			adr: "0066",
		},
		{
			folder: "adapters/kubernetes/migrate", imports: []string{"domain", "adapters/structured"}, modules: []string{"*"},
			mustNotLink: cluster, adr: "0066",
		},
		{
			folder: "adapters/kubernetes/internal", imports: []string{"domain", "ports"}, modules: []string{"*"}, adr: "0066",
		},
		{
			// The reconciler watches the objects that the ports' adapters write.
			folder: "adapters/kubernetes/controller",
			imports: []string{
				"domain", "ports", "app", "adapters/kubernetes/api", "adapters/kubernetes/convert", "adapters/kubernetes/capi",
				"adapters/kubernetes/internal",
			},
			modules: []string{"*"}, adr: "0014",
		},
		{
			folder: "adapters/kubernetes/*",
			imports: []string{
				"domain", "ports", "app", "adapters/kubernetes/api", "adapters/kubernetes/convert", "adapters/structured",
				"adapters/internal", "adapters/kubernetes/internal",
			},
			modules: []string{"*"}, adr: "0066",
		},
		{folder: "adapters/memory", imports: []string{"domain", "ports"}, mustNotLink: cluster, adr: "0014"},
		{
			folder: "adapters/cli",
			imports: []string{
				"domain", "ports", "app", "adapters/internal", "adapters/kubernetes/api", "adapters/kubernetes/convert",
				"adapters/kubernetes/migrate", "adapters/kubernetes/admission",
				"adapters/memory", "adapters/structured",
			},
			modules: []string{"*"}, mustNotLink: []string{"sigs.k8s.io/controller-runtime/pkg/manager"}, adr: "0014",
		},
		{
			folder: "cmd/internal/catalog", imports: []string{"ports", "adapters/render", "adapters/plugin"},
			mustNotLink: cluster, adr: "0001",
		},
		{
			// The agent is small, and knows neither clusters nor formats.
			folder: "cmd/machineadm",
			imports: []string{
				"domain", "ports", "app", "adapters", "cmd/internal/catalog/plugins", "cmd/internal/build",
			},
			modules: []string{"*"}, mustNotLink: agentless, adr: "0020",
		},
		{folder: "cmd", imports: []string{"domain", "ports", "app", "adapters"}, modules: []string{"*"}, adr: "0001"},
		{folder: "hack", adr: "0001"},
		{
			folder: "hack/reference", imports: []string{"domain", "ports", "app"}, modules: []string{"go.yaml.in/yaml/v3"},
			adr: "0030",
		},
		{
			folder: "hack/monitoring", imports: []string{"domain", "ports", "app", "adapters"}, modules: []string{"*"},
			adr: "0001",
		},
		{
			folder: "hack/dist", modules: []string{"k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/yaml"}, adr: "0072",
		},
		{folder: "hack/deps", modules: []string{"github.com/google/licensecheck", "sigs.k8s.io/yaml"}, adr: "0064"},
		{folder: "test", imports: []string{"domain", "ports", "app", "adapters", "cmd"}, modules: []string{"*"}, adr: "0012"},
	}
}
