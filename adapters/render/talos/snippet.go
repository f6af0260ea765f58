package talos

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/siderolabs/crypto/x509"
	"github.com/siderolabs/talos/pkg/machinery/config"
	docconfig "github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/container"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/quiet"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// patch applies the user's snippets one after the other: strategic-merge patches in YAML, or lists of JSON patch
// operations (RFC 6902).
func patch(ctx context.Context, c config.Provider, snippets []plan.Snippet) (config.Provider, report.Report) {
	var findings report.Report
	copies := 0
	for _, s := range snippets {
		if strings.TrimSpace(s.Text) == "" {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		more, err := read(ctx, s.Text)
		if err != nil {
			findings = append(findings, structured.Finding(s.Source.Path, "this is not a patch for Talos", err))
			continue
		}
		if copies += more; copies > maxCopies {
			const message = "more than %d operations copy, and each can double the configuration"
			findings = append(findings, report.Errorf(s.Source.Path, message, maxCopies).To("use add, with the value"))
			continue
		}
		if err := affordable(ctx, c, s.Text, more); err != nil {
			findings = append(findings, report.Errorf(s.Source.Path,
				"with the values that its operations copy, the object has %v", err).To("use add, with the value"))
			continue
		}
		patched, err := apply(c, s.Text)
		if err == nil && patched.RawV1Alpha1() == nil {
			err = errNoMachine
		}
		if err != nil {
			findings = append(findings, failure(s, err))
			continue
		}
		found := changed(c, patched, s)
		findings = append(findings, found...)
		c = patched
		if found = verify(c, s); found.HasErrors() {
			return c, append(findings, found...)
		}
	}
	return c, findings
}

// Mistakes that the library does not report, or reports with the values.
var (
	errNoMachine   = errors.New("it removes the machine's configuration")
	errUnknownKeys = errors.New("unknown keys")
)

// maxCopies limits the JSON patch operations that copy, in all snippets of a machine: each of them can double the
// configuration.
const maxCopies = 8

// read refuses a patch that is too costly to read or to apply, and returns how many of its operations copy.
func read(ctx context.Context, text string) (copies int, err error) {
	documents, err := structured.YAML(ctx, []byte(text))
	if err != nil || len(documents) != 1 {
		return 0, err
	}
	var operations []map[string]any
	isList := documents[0].Decode(&operations) == nil // A strategic-merge patch is a mapping.
	for _, o := range operations {
		if isList && o["op"] == "copy" {
			copies++
		}
	}
	return copies, nil
}

// affordable spends what so many operations that copy can make of the configuration and the patch: each can double
// both.
func affordable(ctx context.Context, c config.Provider, text string, copies int) error {
	if copies == 0 {
		return nil
	}
	data, err := encode(c)
	if err != nil {
		return err
	}
	return budget.FromContext(ctx).Spend(budget.Content, (len(data)+len(text))<<copies)
}

// apply applies one patch. The library has JSON patches for a single document alone, so they are held to the v1alpha1
// document, which is the one that they were made for.
func apply(c config.Provider, text string) (config.Provider, error) {
	p, err := configpatcher.LoadPatch([]byte(text))
	if err != nil {
		return nil, err
	}
	if _, strategic := p.(configpatcher.StrategicMergePatch); strategic {
		return output(configpatcher.Apply(configpatcher.WithConfig(c), []configpatcher.Patch{p}))
	}
	main, held := hold(container.NewV1Alpha1(c.RawV1Alpha1()), awkward)
	patched, err := output(configpatcher.Apply(configpatcher.WithConfig(main), []configpatcher.Patch{p}))
	if err != nil {
		return nil, err
	}
	patched = held.restore(patched)
	rest := slices.DeleteFunc(c.Documents(), func(d docconfig.Document) bool {
		_, main := d.(*v1alpha1.Config)
		return main
	})
	return container.New(append(patched.Documents(), rest...)...)
}

func output(out configpatcher.Output, err error) (config.Provider, error) {
	if err != nil {
		return nil, err
	}
	return out.Config()
}

// verify has the library validate what a patch made.
func verify(c config.Provider, s plan.Snippet) report.Report {
	data, err := encode(c)
	if err != nil {
		return report.Report{failure(s, err)}
	}
	return quiet.Of(check(data, s.Source.Path), s.Text)
}

// failure returns the finding for an invalid or inapplicable patch. It contains unknown keys, but no values.
func failure(s plan.Snippet, err error) report.Finding {
	message := "this is not a patch for Talos"
	if keys, found := unknownKeys(err.Error()); found {
		message += ": it has keys that Talos does not know: " + strings.Join(keys, ", ")
		err = errUnknownKeys
	}
	if errors.Is(err, errNoMachine) {
		message += ": " + errNoMachine.Error()
	}
	return structured.Malformed(s.Source.Path, message, err).
		To("write documents of Talos's configuration, or a list of JSON patch operations for its v1alpha1 document")
}

// changed warns of a patch that changes what the machine joins its cluster by. Strict makes it an error.
func changed(before, after config.Provider, s plan.Snippet) report.Report {
	old, now := joining(before.RawV1Alpha1()), joining(after.RawV1Alpha1())
	var findings report.Report
	for i, field := range now {
		if field == old[i] {
			continue
		}
		f := report.Warningf(s.Source.Path, "it changes %s, which the machine needs to join its cluster", field.name).
			To("do not change it")
		if s.Strict {
			f.Severity = report.Error
		}
		findings = append(findings, f)
	}
	return findings
}

// joinField is a field by which a machine joins.
type joinField struct{ name, value string }

// joining returns the fields by which a machine joins, in a fixed order.
func joining(c *v1alpha1.Config) []joinField {
	m, k := c.MachineConfig, c.ClusterConfig
	if m == nil {
		m = &v1alpha1.MachineConfig{}
	}
	if k == nil {
		k = &v1alpha1.ClusterConfig{}
	}
	endpoint := ""
	if k.ControlPlane != nil && k.ControlPlane.Endpoint != nil && k.ControlPlane.Endpoint.URL != nil {
		endpoint = k.ControlPlane.Endpoint.URL.String()
	}
	fields := []joinField{
		{"machine.type", m.MachineType},
		{"machine.token", m.MachineToken},
		{"cluster.token", k.BootstrapToken},
		{"cluster.id", k.ClusterID},
		{"cluster.secret", k.ClusterSecret},
		{"cluster.controlPlane.endpoint", endpoint},
		{"cluster.secretboxEncryptionSecret", k.ClusterSecretboxEncryptionSecret},
	}
	fields = append(fields, pair("machine.ca", m.MachineCA), pair("cluster.ca", k.ClusterCA),
		pair("cluster.aggregatorCA", k.ClusterAggregatorCA))
	if k.EtcdConfig != nil {
		fields = append(fields, pair("cluster.etcd.ca", k.EtcdConfig.RootCA))
	} else {
		fields = append(fields, joinField{"cluster.etcd.ca", ""})
	}
	key := joinField{name: "cluster.serviceAccount"}
	if k.ClusterServiceAccount != nil {
		key.value = string(k.ClusterServiceAccount.Key)
	}
	return append(fields, key)
}

func pair(name string, p *x509.PEMEncodedCertificateAndKey) joinField {
	if p == nil {
		return joinField{name: name}
	}
	return joinField{name, string(p.Crt) + string(p.Key)}
}

// unknownKeys returns the keys that the loader does not know. It prints them with their values, as YAML below its
// own words.
func unknownKeys(text string) ([]string, bool) {
	_, after, found := strings.Cut(text, "unknown keys found during decoding:")
	if !found {
		return nil, false
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(after), &root); err != nil || len(root.Content) == 0 {
		return []string{"some"}, true
	}
	var keys []string
	leaves(root.Content[0], "", &keys)
	slices.Sort(keys)
	return keys, true
}

// maxUnknown is how many unknown keys are named.
const maxUnknown = 20

// leaves collects the paths of what is unknown: mappings lead to it, and what is no mapping is it.
func leaves(n *yaml.Node, path report.Path, keys *[]string) {
	if len(*keys) == maxUnknown {
		return
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		*keys = append(*keys, string(path))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		leaves(n.Content[i+1], path.Field(n.Content[i].Value), keys)
	}
}
