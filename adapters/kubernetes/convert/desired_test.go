package convert_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// minimal is a control plane without optional fields.
const minimal = `{version: v1.36.3, machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.example,
  kind: ExampleTemplate, name: cp}}}, bootstrap: {os: {distribution: debian}}}`

// controlPlaneOf reads a spec: the minimal one, and the fields of the text.
func controlPlaneOf(t *testing.T, text string) *controlplanev1.MachineadmControlPlane {
	t.Helper()
	o := &controlplanev1.MachineadmControlPlane{ObjectMeta: metav1.ObjectMeta{
		Name: "cp", Namespace: "default", Labels: map[string]string{"cluster.x-k8s.io/cluster-name": "c"},
	}}
	for _, part := range []string{minimal, text} {
		if err := yaml.UnmarshalStrict([]byte(part), &o.Spec); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// noObjects resolves nothing.
type noObjects struct{ err error }

func (n noObjects) Resolve(context.Context, convert.Reference) ([]byte, error) {
	if n.err != nil {
		return nil, n.err
	}
	return nil, convert.ErrNotFound
}

func TestControlPlaneDefaults(t *testing.T) {
	o := controlPlaneOf(t, "{}")
	got, err := convert.ConvertControlPlane(t.Context(), o, nil, noObjects{})
	if err != nil {
		t.Fatal(err)
	}
	want := controlplane.Desired{
		Replicas: 1, MaxSurge: 1, Type: node.ControlPlaneKubeadm,
		Template: controlplane.Template{
			Version: "v1.36.3", Bootstrap: convert.Meaning(&o.Spec.Bootstrap),
			Infrastructure: "ExampleTemplate.infrastructure.example/cp",
		},
		Remediation: controlplane.Remediation{MinHealthyPeriod: time.Hour},
	}
	if diff := cmp.Diff(want, got.Desired); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Addons != (ports.Addons{KubeProxy: true, CoreDNS: true}) || len(got.Findings) != 0 {
		t.Errorf("add-ons %+v, findings %s", got.Addons, got.Findings)
	}
}

func TestControlPlaneSettings(t *testing.T) {
	o := controlPlaneOf(t, `{replicas: 5, version: 1.36.3, rollout: {after: "2026-01-02T03:04:05Z", maxSurge: 0,
	  before: {certificatesExpiryDays: 30}, onContentChange: Roll},
	  remediation: {maxRetry: 2, retryPeriodSeconds: 60, minHealthyPeriodSeconds: 0},
	  addons: {kubeProxy: Unmanaged}, bootstrap: {os: {distribution: talos}, controlPlane: {coreDNS: {disabled: true},
	  apiServer: {encryptionAtRest: {secret: {name: keys, key: k}}}, etcd: {external: {endpoints: ["https://e:2379"]}}}}}`)
	got, err := convert.ConvertControlPlane(t.Context(), o, nil, noObjects{})
	if err != nil {
		t.Fatal(err)
	}
	two := 2
	want := controlplane.Desired{
		Replicas: 5, MaxSurge: 0, Type: node.ControlPlaneTalos, ExternalEtcd: true,
		Template: controlplane.Template{
			Version: "v1.36.3", Bootstrap: convert.Meaning(&o.Spec.Bootstrap),
			Infrastructure: "ExampleTemplate.infrastructure.example/cp",
		},
		RolloutAfter:        time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		RolloutBeforeExpiry: 30 * 24 * time.Hour,
		Remediation:         controlplane.Remediation{MaxRetry: &two, RetryPeriod: new(time.Minute)},
	}
	want.RolloutAfter = want.RolloutAfter.Local()
	if diff := cmp.Diff(want, got.Desired); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Addons != (ports.Addons{}) {
		t.Errorf("an add-on is managed that is disabled or the user's: %+v", got.Addons)
	}
	if got.Config.APIServer.EncryptionAtRest.IsZero() {
		t.Error("kubeadm's configuration would leave out the argument of a file")
	}
}

// TestOptionalComponentFiles checks that kubeadm's configuration names no file that the machines do not have, because
// its optional object does not exist or is empty. A required object is never looked up.
func TestOptionalComponentFiles(t *testing.T) {
	const files = `audit: {policy: {contentFrom: {configMap: {name: p, key: k, OPTIONAL}}}},
	  encryptionAtRest: {secret: {name: e, key: k, OPTIONAL}}, authentication: {contentFrom: {secret: {name: a, key: k,
	  OPTIONAL}}}`
	const p, e, a = "ConfigMap/p/k", "Secret/e/k", "Secret/a/k"
	for name, c := range map[string]struct {
		reason, optional string
		resolver         convert.Resolver
		want             bool
	}{
		"missing, optional": {"the machines leave out the files", "optional: true", noObjects{}, false},
		"empty, optional":   {"an empty file is left out, too", "optional: true", store{p: "", e: "", a: ""}, false},
		"optional":          {"the machines have the files", "optional: true", store{p: "x", e: "x", a: "x"}, true},
		"missing, required": {"no machine is created without it", "optional: false", noObjects{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := controlPlaneOf(t, "{bootstrap: {os: {distribution: debian}, controlPlane: {apiServer: {"+
				strings.ReplaceAll(files, "OPTIONAL", c.optional)+"}}}}")
			got, err := convert.ConvertControlPlane(t.Context(), o, nil, c.resolver)
			if err != nil {
				t.Fatal(err)
			}
			checkComponentFiles(t, c.reason, got.Config.APIServer, c.want)
			if c.optional == "optional: false" {
				return // No machine is created.
			}
			machine := &v1alpha1.MachineBootstrapConfig{Spec: o.Spec.Bootstrap}
			described, err := convert.Config(t.Context(), machine, convert.Names{}, c.resolver)
			if err != nil {
				t.Fatal(err)
			}
			config, _, _ := document.First[node.ControlPlaneConfig](described.Documents)
			checkComponentFiles(t, "the machine: "+c.reason, config.APIServer, c.want)
		})
	}
}

// checkComponentFiles checks whether the API server has the files of TestOptionalComponentFiles.
func checkComponentFiles(t *testing.T, reason string, a node.APIServer, want bool) {
	t.Helper()
	for file, set := range map[string]bool{
		"audit policy": a.Audit != nil && len(a.Audit.Policy) > 0, "encryption": !a.EncryptionAtRest.IsZero(),
		"authentication": len(a.Authentication) > 0,
	} {
		if set != want {
			t.Errorf("%s: %s is set: %t", reason, file, set)
		}
	}
	if a.Audit != nil && !want {
		t.Errorf("%s: the API server would have the arguments of an audit log without a policy", reason)
	}
}

// snapshotsOf is the specification of snapshots in a storage, with more fields.
func snapshotsOf(fields string) string {
	return "etcdSnapshots: {recipients: [age1a], storageRef: {apiGroup: bootstrap.machineadm.io, " +
		"kind: S3BootstrapStorage, name: b}" + fields + "}"
}

func TestControlPlaneSnapshots(t *testing.T) {
	want := &ports.EtcdSnapshots{
		SnapshotPolicy: controlplane.SnapshotPolicy{Interval: 6 * time.Hour, Keep: 28}, Recipients: []string{"age1a"},
		Storage: delivery.StorageRef{Group: "bootstrap.machineadm.io", Kind: "S3BootstrapStorage", Name: "b"},
	}
	often := *want
	often.SnapshotPolicy = controlplane.SnapshotPolicy{Interval: 5 * time.Minute, Keep: 3}
	for text, want := range map[string]*ports.EtcdSnapshots{
		"{}": nil, "{" + snapshotsOf("") + "}": want, "{" + snapshotsOf(", intervalMinutes: 5, keep: 3") + "}": &often,
	} {
		got, err := convert.ConvertControlPlane(t.Context(), controlPlaneOf(t, text), nil, noObjects{})
		if err != nil || len(got.Findings) > 0 {
			t.Errorf("%s: findings %s, error %v", text, got.Findings, err)
		}
		if diff := cmp.Diff(want, got.Snapshots); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestControlPlaneFindings checks that each mistake has a finding about its field.
func TestControlPlaneFindings(t *testing.T) {
	const naming = "error: spec.machineNaming.template:"
	cases := map[string]struct {
		reason, spec string
		versions     []string
		want         string
	}{
		"none":        {reason: "nothing is wrong", spec: "{replicas: 3}"},
		"no machines": {reason: "a control plane can be scaled to zero before it starts", spec: "{replicas: 0}"},
		"stopped": {
			"a control plane cannot be started again", "{replicas: 0}", []string{"v1.36.3"}, "error: spec.replicas:",
		},
		"even": {"the fourth machine tolerates nothing", "{replicas: 4}", nil, "warning: spec.replicas:"},
		"external etcd": {
			reason: "etcd is elsewhere",
			spec: "{replicas: 2, bootstrap: {os: {distribution: debian}, controlPlane: {etcd: {external: " +
				"{endpoints: [\"https://e:2379\"]}}}}}",
		},
		"snapshots of Talos": {
			"its etcd is not reached as a Pod", "{" + snapshotsOf("") + ", bootstrap: {os: {distribution: talos}}}", nil,
			"warning: spec.etcdSnapshots:",
		},
		"surge": {
			"the only machine cannot leave first", "{rollout: {maxSurge: 0}}", nil, "warning: spec.rollout.maxSurge:",
		},
		"version":  {"nothing has this version", "{version: latest}", nil, "error: spec.version:"},
		"upgrade":  {reason: "one minor version", spec: "{version: v1.36.0}", versions: []string{"v1.35.9", "v1.36.0"}},
		"rollback": {reason: "patch versions are free", spec: "{version: v1.36.0}", versions: []string{"v1.36.9"}},
		"skipped": {
			"kubeadm upgrades by one", "{version: v1.36.0}", []string{"v1.36.0", "v1.34.0"}, "error: spec.version:",
		},
		"downgrade": {
			"etcd and objects are of a newer version", "{version: v1.35.0}", []string{"v1.36.0"}, "error: spec.version:",
		},
		"major": {"no path exists", "{version: v2.0.0}", []string{"v1.36.0"}, "error: spec.version:"},
		"system": {
			"no profile", "{bootstrap: {os: {distribution: plan9}}}", nil, "error: spec.bootstrap.os.distribution:",
		},
		"profile": {
			"its ConfigMap is missing",
			"{bootstrap: {os: {distribution: x, profileFrom: {configMap: {name: p, key: k}}}}}", nil,
			"error: spec.bootstrap.os.profileFrom.configMap:",
		},
		"infrastructure": {
			"only a template can be cloned",
			"{machineTemplate: {spec: {infrastructureRef: {apiGroup: a.example, kind: Example, name: x}}}}", nil,
			"error: spec.machineTemplate.spec.infrastructureRef.kind:",
		},
		"naming": {
			reason: "all placeholders",
			spec:   "{machineNaming: {template: \"{{ .cluster.name }}-{{.controlPlane.name}}-{{ .random }}\"}}",
		},
		"no random": {"names must differ", "{machineNaming: {template: \"{{ .cluster.name }}\"}}", nil, naming},
		"unknown": {
			"there is no such placeholder", "{machineNaming: {template: \"{{ .machine }}-{{ .random }}\"}}", nil, naming,
		},
		"invalid": {"a name has no capitals", "{machineNaming: {template: \"X-{{ .random }}\"}}", nil, naming},
		"long": {
			"a host name has at most 63 characters",
			"{machineNaming: {template: \"" + strings.Repeat("x", 60) + "-{{ .random }}\"}}", nil, naming,
		},
		"reserved": {
			"the data Secret would be a kubeconfig", "{machineNaming: {template: \"{{ .random }}-kubeconfig\"}}", nil, naming,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := convert.ConvertControlPlane(t.Context(), controlPlaneOf(t, c.spec), c.versions, noObjects{})
			if err != nil {
				t.Fatal(err)
			}
			text := got.Findings.String()
			if (c.want == "") != (len(got.Findings) == 0) || !strings.Contains(text, c.want) {
				t.Errorf("%s: want %q, got %s", c.reason, c.want, text)
			}
			for _, f := range got.Findings {
				if f.Remedy == "" {
					t.Errorf("no remedy: %s", f)
				}
			}
		})
	}
}

func TestControlPlaneLookupFails(t *testing.T) {
	failure := errors.New("the API server does not answer")
	o := controlPlaneOf(t, "{bootstrap: {os: {distribution: x, profileFrom: {configMap: {name: p, key: k}}}}}")
	if _, err := convert.ConvertControlPlane(t.Context(), o, nil, noObjects{failure}); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

func TestMachineNames(t *testing.T) {
	long := strings.Repeat("n", 70)
	cases := map[string]struct{ reason, name, template, want string }{
		"default":  {"the control plane and the random part", "cp", "", "cp-abcde"},
		"long":     {"the name is shortened, the random part is not", long, "", long[:57] + "-abcde"},
		"template": {"as the user wrote it", "cp", "{{ .cluster.name }}-x-{{ .random }}", "c-x-abcde"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := controlPlaneOf(t, "{}")
			o.Name, o.Spec.MachineNaming.Template = c.name, c.template
			converted, err := convert.ConvertControlPlane(t.Context(), o, nil, noObjects{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := converted.Names.Name("abcde"); err != nil || got != c.want {
				t.Errorf("%s: got %q, %v, want %q", c.reason, got, err, c.want)
			}
		})
	}
}
