package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/adapters/source/https"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// runner returns what starts plugins. What they print goes to the log.
func runner(log io.Writer) host.Host {
	return host.Host{
		Codec: codec.Codec{}, Deadlines: host.DefaultDeadlines(), Sockets: socketFolder(), Log: log,
		Encode: record.Codec{}.WriteStatus,
	}
}

// search returns where plugins are looked for.
func search(s nodecli.Setup) host.Search {
	folders := host.Directories()
	if s.PluginPath {
		folders = append(folders, filepath.SplitList(os.Getenv("PATH"))...)
	}
	return host.Search{Directories: folders, Pins: s.Pins}
}

// unwrapper returns what decrypts: with passphrases of this machine's files, of plugins that fetch, or of plugins for
// keys.
func unwrapper(inside func(string) (string, error), source ports.Source, external *host.Set) ports.Decrypter {
	return seal.Decrypter{Passphrases: seal.Passphrases{MapPath: inside, Source: source, Fallback: external}}
}

// typeOf returns the type of plugin that serves a core expander to others.
func typeOf(c ports.Capability) host.Type {
	switch {
	case slices.Contains(c.Kinds, machine.KindTimeSync):
		return host.TypeTimeSync
	case slices.Contains(c.Kinds, machine.KindContainerd), slices.Contains(c.Kinds, machine.KindCRIO):
		return host.TypeContainerRuntime
	default:
		return host.TypeDocument
	}
}

// served returns the core plugin that this program is when it is started under a plugin's name.
func served(program string) (sdk.Plugin, bool) {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	for _, e := range plugins.Builtin() {
		c := e.Describe()
		if name == string(typeOf(c))+c.Name {
			return sdk.Plugin{Name: c.Name, Version: buildVersion(), Expander: e}, true
		}
	}
	return servedSource(name)
}

// known is the plugins of the machine.
type known struct {
	host   host.Host
	search host.Search
}

func pluginsOf(s nodecli.Setup) nodecli.Plugins { return known{runner(os.Stderr), search(s)} }

// List returns the core plugins and the external plugins that were found.
func (k known) List() ([]nodecli.Plugin, error) {
	var list []nodecli.Plugin
	for _, e := range plugins.Builtin() {
		c := e.Describe()
		list = append(list, nodecli.Plugin{
			Name: c.Name, Version: buildVersion(), Services: []string{string(pluginhost.ServiceExpander)}, Kinds: names(c.Kinds),
		})
	}
	list = append(list, nodecli.Plugin{
		Name: https.Provider, Version: buildVersion(),
		Services: []string{string(pluginhost.ServiceSource)},
	})
	candidates, err := k.search.Candidates()
	for _, c := range candidates {
		p := nodecli.Plugin{Name: c.Base(), Path: c.Path, Pinned: c.Pinned()}
		// The problem reports files that cannot be read.
		p.SHA256, _ = c.Digest()
		if c.Refused != nil {
			p.Problem = c.Refused.Error()
		}
		list = append(list, p)
	}
	return list, err
}

// Verify starts the plugin, and completes p with the plugin's description.
func (k known) Verify(ctx context.Context, p nodecli.Plugin) nodecli.Plugin {
	if p.Path == "" || p.Problem != "" {
		return p
	}
	candidates, _ := k.search.Candidates()
	at := slices.IndexFunc(candidates, func(c host.Candidate) bool { return c.Path == p.Path })
	if at < 0 {
		p.Problem = "it is gone"
		return p
	}
	started, err := k.host.Start(ctx, candidates[at].File)
	if err != nil {
		p.Problem = err.Error()
		return p
	}
	defer started.Close()
	p.Version, p.Kinds, p.Services = started.Version, names(started.Expander().Describe().Kinds), started.Services()
	return p
}

func names(kinds []document.Kind) []string {
	var all []string
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}
