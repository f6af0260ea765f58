//go:build linux

package nodes_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	yamlv3 "go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	bootstrapapi "k8s.io/cluster-bootstrap/token/api"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/node"
	domain "github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

// firstAddress is where the API server of the cluster's first machine listens, which is the cluster's endpoint.
const firstAddress = subnet + "10"

// cluster is what its machines' manifests are made with.
type cluster struct {
	*world

	terminal string
	// base is the manifests of the cluster and its certificates, and machines those of its machines so far.
	base, machines string
	// secrets are what no machine may show: the halves of tokens, and lines of keys.
	secrets []string
	api     *rest.Config
}

// newCluster returns a cluster that has certificates and no machine yet.
func newCluster(t *testing.T, w *world) *cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard())
	base, err := os.ReadFile("testdata/cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{world: w, terminal: built(t, "machineadmctl"), base: string(base)}
	pairs := secret.NewCertificatesForInitialControlPlane(nil)
	if err := pairs.Generate(); err != nil {
		t.Fatal(err)
	}
	for _, pair := range pairs {
		s := pair.AsSecret(client.ObjectKey{Namespace: "default", Name: "demo"}, metav1.OwnerReference{})
		s.APIVersion, s.Kind = "v1", "Secret"
		text, err := yaml.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		c.base += "---\n" + string(text)
	}
	c.api = c.admin(t, pairs.GetByPurpose(secret.ClusterCA).KeyPair.Cert, pairs.GetByPurpose(secret.ClusterCA).KeyPair.Key)
	return c
}

// admin returns a client configuration of an administrator.
func (c *cluster) admin(t *testing.T, ca, caKey []byte) *rest.Config {
	t.Helper()
	authority, err := certs.DecodeCertPEM(ca)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := certs.DecodePrivateKeyPEM(caKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key := sign(t, authority, signer)
	return &rest.Config{
		Host: "https://" + firstAddress + ":6443", Dial: c.dial, Timeout: 30 * time.Second,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca, CertData: certificate, KeyData: key},
	}
}

func sign(t *testing.T, authority *x509.Certificate, signer crypto.Signer) (certificate, key []byte) {
	t.Helper()
	own, err := certs.NewPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	config := certs.Config{
		CommonName: "test", Organization: []string{"system:masters"},
		Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	signed, err := config.NewSignedCert(own, authority, signer)
	if err != nil {
		t.Fatal(err)
	}
	return certs.EncodeCertPEM(signed), certs.EncodePrivateKeyPEM(own)
}

// GetUncachedClient returns a client of the cluster; there is but one.
func (c *cluster) GetUncachedClient(context.Context, client.ObjectKey) (client.Client, error) {
	return client.New(c.api, client.Options{})
}

// order describes the wanted machine.
type order struct {
	name   string
	number int
	plane  bool
	// edit replaces text of the manifest: old and new by turns.
	edit []string
	// forge changes the userdata; nil leaves it as it is.
	forge func(string) string
	// breaks is a shell command that runs before the userdata does.
	breaks string
	// life is how long the machine's token lives; zero is an hour.
	life time.Duration
	// scenario is one of testdata/scenarios that is laid over the manifest; empty is none.
	scenario string
}

// userdata returns the machine's userdata, and its configuration, as the terminal makes both of the cluster's
// manifests. The token that joins is made in the cluster.
func (c *cluster) userdata(t *testing.T, o order) string {
	t.Helper()
	manifest, err := os.ReadFile("testdata/machine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	labels, plane := "{cluster.x-k8s.io/cluster-name: demo}", "# PLANE"
	if o.plane {
		labels = `{cluster.x-k8s.io/cluster-name: demo, cluster.x-k8s.io/control-plane: ""}`
		plane = "controlPlane: {kubeProxy: {disabled: true}, coreDNS: {disabled: true}}"
	}
	edits := append([]string{
		"NAME", o.name, "NUMBER", strconv.Itoa(o.number), "LABELS", labels, "# PLANE",
		plane,
	}, o.edit...)
	text := strings.NewReplacer(edits...).Replace(string(manifest))
	if o.scenario != "" {
		text = over(t, text, o.scenario)
	}
	c.machines += "---\n" + text
	configuration := c.render(t, o.name, "--format", "machineadm")
	c.secrets = append(c.secrets, canary.SecretsIn(configuration)...)
	c.admit(t, configuration, cmp.Or(o.life, time.Hour))
	if o.forge == nil {
		o.forge = func(s string) string { return s }
	}
	return o.forge(c.render(t, o.name))
}

func (c *cluster) render(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.Command(c.terminal, append([]string{"render", "-f", "-", "--machine", name}, args...)...)
	command.Stdin = strings.NewReader(c.base + c.machines)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("render: %v\n%s", err, stderr.String())
	}
	return string(out)
}

// joining is what the test looks for in a configuration.
type joining struct {
	Kind string
	Spec struct{ Discovery struct{ Token string } }
}

// admit makes the token of a configuration in the cluster, by the controller's own port.
func (c *cluster) admit(t *testing.T, configuration string, life time.Duration) {
	t.Helper()
	decoder := yamlv3.NewDecoder(strings.NewReader(configuration))
	for {
		var d joining
		if err := decoder.Decode(&d); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		id, half, joins := strings.Cut(d.Spec.Discovery.Token, ".")
		if d.Kind != "NodeConfig" || !joins {
			continue
		}
		token := node.BootstrapToken{
			ID: id, Secret: domain.FromString(half), Expires: time.Now().Add(life),
			Owner: "default/demo/test",
		}
		err := capi.NewTokens(c).Create(t.Context(), ports.Key{Namespace: "default", Name: "demo"}, token)
		if err != nil {
			t.Fatal(err)
		}
		if life > 0 {
			c.signs(t, id)
		}
	}
}

// signs waits until the cluster vouches for its information by the token, which its controller manager has it do in its
// own time.
func (c *cluster) signs(t *testing.T, id string) {
	t.Helper()
	g := NewWithT(t)
	api, err := client.New(c.api, client.Options{})
	g.Expect(err).NotTo(HaveOccurred())
	info := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: metav1.NamespacePublic,
		Name:      bootstrapapi.ConfigMapClusterInfo,
	}}
	g.Eventually(func() (map[string]string, error) {
		err := api.Get(t.Context(), client.ObjectKeyFromObject(info), info)
		return info.Data, err
	}).WithTimeout(patience).Should(HaveKey(bootstrapapi.JWSSignatureKeyPrefix + id))
}

// boot starts the machine with its userdata. The error is the userdata's.
func (c *cluster) boot(t *testing.T, o order) (*machine, error) {
	t.Helper()
	m := c.start(t, o.name, c.userdata(t, o))
	m.must(t, cmp.Or(o.breaks, "true"))
	return m, m.boot(t)
}

// logs returns the ends of the machine's logs.
func (m *machine) logs() string {
	var b strings.Builder
	for _, command := range []string{
		"tail -c4000 /var/log/*.log /var/lib/machineadm-hosts/log", "cat /var/lib/machineadm/failure.json",
		"journalctl --no-pager -n100 -u kubelet -u containerd",
	} {
		out, _ := m.run(command)
		b.WriteString("== " + m.name + ": " + command + "\n" + out)
	}
	return b.String()
}
