package convert_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/memory"
)

// store resolves references from a map of their names.
type store map[string]string

func (s store) Resolve(_ context.Context, r convert.Reference) ([]byte, error) {
	if text, found := s[r.Kind+"/"+r.Name+"/"+r.Key]; found {
		return []byte(text), nil
	}
	return nil, convert.ErrNotFound
}

// config parses a spec and sets the operating system.
func config(t *testing.T, spec string) *v1alpha1.MachineBootstrapConfig {
	t.Helper()
	c := &v1alpha1.MachineBootstrapConfig{}
	if err := yaml.UnmarshalStrict([]byte(spec), &c.Spec); err != nil {
		t.Fatal(err)
	}
	c.Namespace, c.Name = "default", "config"
	if c.Spec.OS.Distribution == "" {
		c.Spec.OS.Distribution = "debian"
	}
	return c
}

func gzipped(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestValues(t *testing.T) {
	packed, err := base64.StdEncoding.DecodeString(gzipped("packed"))
	if err != nil {
		t.Fatal(err)
	}
	there := store{"Secret/s/k": "from secret\n", "ConfigMap/c/k": "from map", "Secret/z/k": string(packed)}
	cases := map[string]struct {
		reason, spec string
		want         document.Value
	}{
		"literal": {
			reason: "content is taken byte for byte",
			spec:   `machine: {files: [{path: /a, content: "{{ a }}\r\n \tb"}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("{{ a }}\r\n \tb")},
		},
		"empty": {
			reason: "a file without content is empty",
			spec:   `machine: {files: [{path: /a, owner: "user:group", permissions: "04755", append: true}]}`,
			want:   machine.File{Path: "/a", Mode: 0o4755, Owner: machine.Owner{User: "user", Group: "group"}, Append: true},
		},
		"secret": {
			reason: "what comes from a Secret is secret, and keeps its final line break",
			spec:   `machine: {files: [{path: /a, contentFrom: {secret: {name: s, key: k}}}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("from secret\n"), Secret: true},
		},
		"configMap": {
			reason: "what comes from a ConfigMap is not secret",
			spec:   `machine: {files: [{path: /a, contentFrom: {configMap: {name: c, key: k}}}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("from map")},
		},
		"parts": {
			reason: "parts follow each other; facts stay open",
			spec: `machine: {files: [{path: /a, parts: [{text: "x "}, {fact: hostname}, {text: YQ==, ` +
				`encoding: base64},
              {textFrom: {secret: {name: s, key: k}}}, {textFrom: {secret: {name: none, key: k, optional: ` +
				`true}}}]}]}`,
			want: machine.File{
				Path:   "/a",
				Secret: true,
				Content: document.Join(
					document.Text("x "),
					document.FromFact(document.FactHostname),
					document.Text("afrom secret\n"),
				),
			},
		},
		"base64": {
			reason: "white space in base64 is ignored, and any byte may come out of it",
			spec:   `machine: {files: [{path: /a, encoding: base64, content: "AP8K\nDQ=="}]}`,
			want:   machine.File{Path: "/a", Content: document.Literal([]byte{0, 0xff, '\n', '\r'})},
		},
		"gzip": {
			reason: "compressed content is unpacked",
			spec:   `machine: {files: [{path: /a, encoding: gzip+base64, content: ` + gzipped("packed") + `}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("packed")},
		},
		"gzip in a Secret": {
			reason: "data of a Secret may be gzip without base64",
			spec:   `machine: {files: [{path: /a, encoding: gzip, contentFrom: {secret: {name: z, key: k}}}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("packed"), Secret: true},
		},
		"password": {
			reason: "a password from a Secret loses its final line break and is not locked",
			spec:   `machine: {users: [{name: a, passwdFrom: {secret: {name: s, key: k}}}]}`,
			want:   machine.User{Name: "a", PasswordHash: secret.FromString("from secret"), Unlocked: true},
		},
		"locked": {
			reason: "a password may be locked",
			spec:   `machine: {users: [{name: a, passwd: $6$a$b, lockPassword: true}]}`,
			want:   machine.User{Name: "a", PasswordHash: secret.FromString("$6$a$b")},
		},
		"keys only": {
			reason: "without a password it is locked",
			spec:   `machine: {users: [{name: a}]}`, want: machine.User{Name: "a"},
		},
		"no taints": {
			reason: "an empty list of taints is not the default",
			spec:   `node: {taints: []}`, want: node.NodeConfig{Registration: node.Registration{TaintsSet: true}},
		},
		"facts": {
			reason: "a value consists of texts and facts, wherever it is; labels are sorted by key",
			spec: `node: {nameParts: [{text: n-}, {fact: instanceID}], advertiseAddressParts: [{fact: privateIPv4}], ` +
				`labels: {c: d}, labelParts: [{key: a, parts: [{fact: zone}]}], kubelet: {extraArgs: [{name: provider-id, ` +
				`parts: [{text: "aws:///"}, {fact: zone}, {text: /}, {fact: instanceID}]}]}}`,
			want: node.NodeConfig{
				Registration: node.Registration{
					Name: document.Join(document.Text("n-"), document.FromFact(document.FactInstanceID)),
					Labels: []node.Label{
						{Key: "a", Value: document.FromFact(document.FactZone)}, {Key: "c", Value: document.Text("d")},
					},
				},
				AdvertiseAddress: document.FromFact(document.FactPrivateIPv4),
				Kubelet: node.Kubelet{Args: []node.Arg{{Name: "provider-id", Value: document.Join(document.Text("aws:///"),
					document.FromFact(document.FactZone), document.Text("/"), document.FromFact(document.FactInstanceID))}}},
			},
		},
		"numbers": {
			reason: "whole numbers stay whole",
			spec:   `node: {kubelet: {config: {maxPods: 110, a: 0.5, b: "1", c: true}}}`,
			want: node.NodeConfig{
				Kubelet: node.Kubelet{Config: node.Tree{"maxPods": int64(110), "a": 0.5, "b": "1", "c": true}},
			},
		},
		"sorted": {
			reason: "maps are converted in the order of their keys",
			spec:   `machine: {sysctls: {b.b: "2", a.a: "1"}}`,
			want:   machine.SysctlConfig{Settings: []machine.Sysctl{{Name: "a.a", Value: "1"}, {Name: "b.b", Value: "2"}}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := convert.Config(t.Context(), config(t, c.spec), convert.Names{}, there)
			if err != nil || r.Findings.HasErrors() || len(r.Missing) > 0 || len(r.Documents) != 1 {
				t.Fatalf("%s: %v, findings %v, missing %v, %d documents", c.reason, err, r.Findings, r.Missing, len(r.Documents))
			}
			same := cmp.Comparer(func(a, b secret.Value) bool { return bytes.Equal(a.Reveal(), b.Reveal()) })
			if diff := cmp.Diff(c.want, r.Documents[0].Value, same); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestFindings(t *testing.T) {
	cases := map[string]struct {
		reason, spec string
		want         []string
		missing      []string
	}{
		"missing": {
			reason: "each required key that is not there is named once",
			spec: `machine: {files: [{path: /a, contentFrom: {secret: {name: none, key: k}}},
              {path: /b, contentFrom: {secret: {name: none, key: k}}},
              {path: /c, contentFrom: {configMap: {name: none, key: k}}}]}`,
			missing: []string{
				"error: spec.machine.files[0].contentFrom.secret: key k of Secret none does not exist" + create,
				"error: spec.machine.files[2].contentFrom.configMap: key k of ConfigMap none does not exist" + create,
			},
		},
		"optional": {
			reason: "an optional key that is not there leaves the file out",
			spec:   `machine: {files: [{path: /a, contentFrom: {secret: {name: none, key: k, optional: true}}}]}`,
			want: []string{
				"info: spec.machine.files[0].contentFrom.secret: key k of Secret none does not exist and is " +
					"optional, so it is left out",
			},
		},
		"both": {
			reason: "of a union one member is given", spec: `machine: {files: [{path: /a, content: x, contentFrom: {}}]}`,
			want: []string{
				"error: spec.machine.files[0].contentFrom: content is given as well; remove one of them",
				"error: spec.machine.files[0].contentFrom: neither a Secret nor a ConfigMap is given",
			},
		},
		"two sources": {
			reason: "there is one source",
			spec:   `machine: {files: [{path: /a, contentFrom: {secret: {name: a, key: b}, configMap: {name: a, key: b}}}]}`,
			want:   []string{"error: spec.machine.files[0].contentFrom: a Secret and a ConfigMap are given; remove one of them"},
		},
		"parts and content": {
			reason: "parts are the whole file",
			spec:   `machine: {files: [{path: /a, content: x, parts: [{text: y}]}]}`,
			want: []string{
				"error: spec.machine.files[0].parts: content or contentFrom is given as well; make it one of the parts",
			},
		},
		"base64": {
			reason: "the content is not repeated: it may be secret",
			spec:   `machine: {files: [{path: /a, encoding: base64, content: "s%cret"}]}`,
			want:   []string{"error: spec.machine.files[0].content: the content is not base64; encode it with: base64 FILE"},
		},
		"gzip": {
			reason: "damaged content is refused",
			spec:   `machine: {files: [{path: /a, encoding: gzip+base64, content: YQ==}]}`,
			want: []string{
				"error: spec.machine.files[0].content: the content is not gzip; encode it with: gzip -c FILE | base64",
			},
		},
		"bomb": {
			reason: "what grows beyond all measure is refused",
			spec: `machine: {files: [{path: /a, encoding: gzip+base64, content: ` + gzipped(
				strings.Repeat("0", 17<<20),
			) + `}]}`,
			want: []string{
				"error: spec.machine.files[0].content: with this field the object has more than 16 MiB of content; " +
					"shorten it, or make the machine fetch it",
			},
		},
		"encoding": {
			reason: "encodings are known", spec: `machine: {files: [{path: /a, encoding: rot13, content: a}]}`,
			want: []string{`error: spec.machine.files[0].content: "rot13" is not an encoding; ` +
				`use base64, gzip or gzip+base64, or none`},
		},
		"mode": {
			reason: "no permissions at all cannot be expressed",
			spec:   `machine: {files: [{path: /a, permissions: "0000"}]}`,
			want: []string{
				`error: spec.machine.files[0].permissions: "0000" are not permissions; write octal digits such as 0644`,
			},
		},
		"fact": {
			reason: "facts are known",
			spec:   `node: {nameParts: [{fact: weather}]}`,
			want: []string{
				`error: spec.node.nameParts[0].fact: "weather" is not a fact; ` +
					"use one of [hostname shortHostname fqdn privateIPv4 publicIPv4 ipv6 instanceID region zone machineName " +
					"clusterName controlPlaneVersion]",
			},
		},
		"two in one": {
			reason: "a part is a text or a fact",
			spec:   `node: {name: a, nameParts: [{text: b, fact: zone}]}`,
			want: []string{
				"error: spec.node.nameParts: name is given as well; remove one of them",
				"error: spec.node.nameParts[0]: a part has a text or a fact, and not both; write two parts",
			},
		},
		"tree": {
			reason: "structured configuration has fields", spec: `node: {kubelet: {config: [1]}}`,
			want: []string{"error: spec.node.kubelet.config: expected an object; write fields and their values"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := convert.Config(t.Context(), config(t, c.spec), convert.Names{}, store{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, texts(r.Findings)); diff != "" {
				t.Errorf("%s: findings (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.missing, texts(r.Missing)); diff != "" {
				t.Errorf("%s: missing (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

type broken struct{}

func (broken) Resolve(context.Context, convert.Reference) ([]byte, error) { return nil, errBroken }

var errBroken = errors.New("broken")

func TestResolverFails(t *testing.T) {
	_, err := convert.Config(
		t.Context(),
		config(t, `machine: {files: [{path: /a, contentFrom: {secret: {name: s, key: k}}}]}`),
		convert.Names{},
		broken{},
	)
	want := "convert MachineBootstrapConfig/default/config: spec.machine.files[0].contentFrom.secret: look up " +
		"key k of Secret s: broken"
	if !errors.Is(err, errBroken) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTarget(t *testing.T) {
	r, err := convert.Config(t.Context(), config(t, `
os: {distribution: flatcar, version: 4230.2.0, architecture: arm64, platform: aws, installDisk: /dev/sdb}
formatOptions: {version: 3.3.0, snippets: [{text: "variant: flatcar", strict: true}, {format: cloud-init, text: a}]}
machine: {containerd: {version: 3}}`), convert.Names{}, store{})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	if r.Format != delivery.FormatIgnition || r.Target.Profile.ID != "flatcar" || r.Target.Release != "4230.2.0" ||
		r.Target.Architecture != "arm64" || r.Target.Platform != "aws" || r.Target.FormatVersion != "3.3.0" ||
		r.Target.ContainerdVersion != 3 || r.Target.InstallDisk != "/dev/sdb" {
		t.Errorf("target: %s %+v", r.Format, r.Target)
	}
	var languages []delivery.Format
	for _, s := range r.Snippets {
		languages = append(languages, s.Format)
	}
	if diff := cmp.Diff([]delivery.Format{delivery.FormatButane, delivery.FormatCloudInit}, languages); diff != "" {
		t.Errorf("people write Ignition as Butane (-want +got):\n%s", diff)
	}
	if got := r.Snippets[1].Source.Path; got != "spec.formatOptions.snippets[1].text" {
		t.Errorf("source of a snippet: %s", got)
	}
}

// TestSnippetsOfSecretsAreMarked verifies that snippets from Secrets are marked as secret.
func TestSnippetsOfSecretsAreMarked(t *testing.T) {
	c := &v1alpha1.MachineBootstrapConfig{}
	c.Spec.OS.Distribution = "debian"
	key := &v1alpha1.KeyReference{Name: "a", Key: "b"}
	c.Spec.FormatOptions = &v1alpha1.FormatOptionsSpec{Snippets: []v1alpha1.Snippet{
		{
			TextFrom: &v1alpha1.ContentSource{Secret: key},
		},
		{TextFrom: &v1alpha1.ContentSource{ConfigMap: key}},
		{Text: "a: b\n"},
	}}
	r, err := convert.Config(t.Context(), c, convert.Names{}, echo{})
	if err != nil || len(r.Snippets) != 3 {
		t.Fatalf("%d snippets, %v, %v", len(r.Snippets), r.Findings, err)
	}
	for i, want := range []bool{true, false, false} {
		if r.Snippets[i].Secret != want {
			t.Errorf("%s: %t", r.Snippets[i].Source.Path, !want)
		}
	}
}

// FuzzConfig converts any JSON that decodes to a spec: nothing panics, and all findings are about the spec.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		`{"os":{"distribution":"debian"},"machine":{"files":[{"path":"/a","content":"eA==","encoding":"base64"}]}}`,
		`{"os":{"distribution":"flatcar"},"node":{"nameParts":[{"fact":"hostname"}],"kubelet":{"config":{"a":[1,null]}}}}`,
		`{"controlPlane":{"etcd":{"local":{},"external":{}},"apiServer":{"audit":{"policy":{}}},"staticPods":[{}]}}`,
		`{"machine":{"containerd":{"registries":[{"mirrors":[{"tls":{"key":{"secret":{}}},"auth":{}}]}]},` +
			`"swap":[{}],"disks":[{"partitions":[{}]}]}}`,
		`{"format":"ignition","formatOptions":{"snippets":[{"textFrom":{}}]},"machine":{"files":[{"encoding":"gzip+base64",` +
			`"parts":[{}]}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &v1alpha1.MachineBootstrapConfig{}
		if yaml.Unmarshal(data, &c.Spec) != nil {
			return
		}
		var r composition.Description
		memory.Below(t, memory.Render, func() {
			var err error
			if r, err = convert.Config(t.Context(), c, convert.Names{}, echo{}); err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Documents {
				r.Findings = append(r.Findings, d.Check()...)
			}
		})
		for _, finding := range r.Findings {
			if !finding.Path.Under("spec") || finding.Path == "" {
				t.Errorf("the finding is about nothing: %s", finding)
			}
		}
	})
}
