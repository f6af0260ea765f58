package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/ports"
)

// workloadCluster is an API server with the ConfigMap kubeadm-config.
type workloadCluster struct {
	*httptest.Server
	config corev1.ConfigMap
	// updated is the ConfigMap that a client wrote.
	updated string
}

func newWorkloadCluster(t *testing.T, configuration string) *workloadCluster {
	t.Helper()
	w := &workloadCluster{config: corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: "kubeadm-config"},
		Data:       map[string]string{"ClusterConfiguration": configuration},
	}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

// ServeHTTP returns the ConfigMap, and what a client writes. Permissions do not exist.
func (w *workloadCluster) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	var written bytes.Buffer
	_, _ = written.ReadFrom(r.Body)
	switch {
	case r.Method == http.MethodPut:
		w.updated = written.String()
		_, _ = rw.Write(written.Bytes())
	case r.Method == http.MethodPost:
		_, _ = rw.Write(written.Bytes())
	case strings.HasSuffix(r.URL.Path, "/configmaps/kubeadm-config"):
		_ = json.NewEncoder(rw).Encode(&w.config)
	default:
		rw.WriteHeader(http.StatusNotFound)
		_, _ = rw.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`))
	}
}

func (w *workloadCluster) GetReader(context.Context, client.ObjectKey) (client.Reader, error) {
	return w.GetUncachedClient(context.Background(), client.ObjectKey{})
}

func (w *workloadCluster) GetUncachedClient(context.Context, client.ObjectKey) (client.Client, error) {
	mapper := testrestmapper.TestOnlyStaticRESTMapper(clientgoscheme.Scheme)
	return fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithRESTMapper(mapper).Build(), nil
}

func (w *workloadCluster) GetRESTConfig(context.Context, client.ObjectKey) (*rest.Config, error) {
	return &rest.Config{Host: w.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, nil
}

// controlPlaneOfScenario returns the manifests of a scenario with its config as the bootstrap of a control plane, or
// empty for a scenario of a worker.
func controlPlaneOfScenario(t *testing.T, scenario string) (manifests string, o controlplanev1.MachineadmControlPlane) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, scenario, "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("cluster.x-k8s.io/control-plane:")) {
		return "", o
	}
	var others []string
	for document := range strings.SplitSeq(string(text), "---\n") {
		var part struct {
			Kind string
			Spec map[string]any
		}
		if err := yaml.Unmarshal([]byte(document), &part); err != nil {
			t.Fatal(err)
		}
		switch part.Kind {
		case "Machine":
			o.Spec.Version, _ = part.Spec["version"].(string)
		case "MachineBootstrapConfig":
			spec, err := yaml.Marshal(part.Spec)
			if err != nil {
				t.Fatal(err)
			}
			if err := yaml.UnmarshalStrict(spec, &o.Spec.Bootstrap); err != nil {
				t.Fatal(err)
			}
		default:
			others = append(others, document)
		}
	}
	o.APIVersion, o.Kind = controlplanev1.GroupVersion().String(), controlplanev1.Kind
	o.Name, o.Namespace = "cp", metav1.NamespaceDefault
	o.Labels = map[string]string{"cluster.x-k8s.io/cluster-name": "demo"}
	infrastructure := &o.Spec.MachineTemplate.Spec.InfrastructureRef
	infrastructure.APIGroup, infrastructure.Kind, infrastructure.Name = "infrastructure.example", "ExampleTemplate", "cp"
	// The settings of components do not depend on the operating system.
	o.Spec.Bootstrap.OS = v1alpha1.OSSpec{Distribution: "ubuntu", Version: "24.04"}
	o.Spec.Bootstrap.Machine, o.Spec.Bootstrap.Format = nil, ""
	return strings.Join(others, "---\n"), o
}

func manifestOf(t *testing.T, o controlplanev1.MachineadmControlPlane) []byte {
	t.Helper()
	text, err := yaml.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// clusterConfiguration matches the configuration of kubeadm in cloud-config.
var clusterConfiguration = regexp.MustCompile(`(?m)^ *(\{"apiVersion":"kubeadm.k8s.io/v1beta\d","kind":"ClusterC.*)$`)

// checkJoinSettings renders the first machine of a control plane, whose configuration kubeadm init stores in the
// cluster, and checks that a machine can join with it as it is.
func checkJoinSettings(t *testing.T, manifests string, o controlplanev1.MachineadmControlPlane) {
	t.Helper()
	code, out, errs := runScenario(t, append([]byte(manifests+"---\n"), manifestOf(t, o)...), "render", "-f", "-")
	found := clusterConfiguration.FindSubmatch(out)
	if code != 0 || found == nil {
		t.Fatalf("exit code %d, no configuration of kubeadm:\n%s%s", code, errs, out)
	}
	server := newWorkloadCluster(t, string(found[1]))
	converted, err := convert.ConvertControlPlane(t.Context(), &o, nil, nil)
	if err != nil || converted.Findings.HasErrors() {
		t.Fatalf("findings %s, error %v", converted.Findings, err)
	}
	cluster := workload.NewCluster(workload.ClusterOptions{
		Clusters: server, Clock: memory.NewClock(time.Unix(0, 0)), Configuration: kubeadm.ClusterConfiguration,
	})
	plane := ports.ControlPlane{ClusterName: "demo", Desired: converted.Desired, Config: converted.Config}
	if err := cluster.PrepareJoin(t.Context(), plane); err != nil {
		t.Fatal(err)
	}
	if server.updated != "" {
		t.Errorf("the configuration was changed from\n%s\nto\n%s", found[1], server.updated)
	}
}

// etcdClient is the client certificate for an external etcd, which machineadm does not generate.
const etcdClient = `---
apiVersion: v1
kind: Secret
metadata: {name: demo-apiserver-etcd-client, namespace: default}
stringData: {tls.crt: certificate, tls.key: key}
`

// TestMachinesJoinWithTheSettingsOfTheFirst checks for the scenarios of control planes, and for settings that
// machineadm completes, that further machines get the component settings of the machine that initializes the cluster.
func TestMachinesJoinWithTheSettingsOfTheFirst(t *testing.T) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, s := range folders {
		manifests, o := controlPlaneOfScenario(t, s.Name())
		if manifests == "" {
			continue
		}
		checked++
		t.Run(s.Name(), func(t *testing.T) { checkJoinSettings(t, manifests, o) })
	}
	if checked < 4 {
		t.Errorf("only %d scenarios of control planes", checked)
	}
	for name, bootstrap := range map[string]string{
		"CIS":           `hardening: {profile: CIS}`,
		"STIG":          `hardening: {profile: STIG, except: [CNTR-K8-000180]}`,
		"external etcd": `controlPlane: {etcd: {external: {endpoints: ["https://192.0.2.20:2379"]}}}`,
		"own directory of certificates": `{node: {certificatesDir: /data/pki}, hardening: {profile: CIS},
  controlPlane: {etcd: {external: {endpoints: ["https://192.0.2.20:2379"]}}, imageRepository: mirror.example/k8s}}`,
	} {
		t.Run(name, func(t *testing.T) {
			manifests, o := controlPlaneOfScenario(t, "control-plane-init")
			o.Spec.Bootstrap.ControlPlane, o.Spec.Bootstrap.Node = nil, nil
			if err := yaml.UnmarshalStrict([]byte(bootstrap), &o.Spec.Bootstrap); err != nil {
				t.Fatal(err)
			}
			checkJoinSettings(t, manifests+etcdClient, o)
		})
	}
}

// TestPluginsOfControlPlanes checks that the settings of components are part of the spec of a control plane. Plugins
// with other settings are accepted, and Talos machines get all settings in their userdata.
func TestPluginsOfControlPlanes(t *testing.T) {
	plugin := func(field, kind string) string {
		return fmt.Sprintf("%s: [{apiGroup: bootstrap.machineadm.io, kind: %s, name: x}]", field, kind)
	}
	for name, c := range map[string]struct{ reason, system, plugins, field string }{
		"plugin":   {"of the components", "debian", plugin("pluginRefs", "ControlPlaneConfig"), "controlPlane"},
		"template": {"of the profile", "debian", plugin("pluginTemplateRefs", "HardeningConfigTemplate"), "hardening"},
		"other":    {"no setting of components", "debian", plugin("pluginRefs", "SysctlConfig"), ""},
		"Talos":    {"no configuration of kubeadm", "talos", plugin("pluginRefs", "HardeningConfig"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, o := controlPlaneOfScenario(t, "control-plane-init")
			if err := yaml.UnmarshalStrict([]byte("{os: {distribution: "+c.system+"}, "+c.plugins+"}"),
				&o.Spec.Bootstrap); err != nil {
				t.Fatal(err)
			}
			converted, err := convert.ConvertControlPlane(t.Context(), &o, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if converted.Findings.HasErrors() != (c.field != "") ||
				!strings.Contains(converted.Findings.String(), "set spec.bootstrap."+c.field) && c.field != "" {
				t.Errorf("%s: findings %s", c.reason, converted.Findings)
			}
			_, out, _ := runScenario(t, manifestOf(t, o), "validate", "-f", "-")
			if strings.Contains(string(out), "set spec.bootstrap."+c.field) != (c.field != "") {
				t.Errorf("%s: validate printed\n%s", c.reason, out)
			}
		})
	}
}
