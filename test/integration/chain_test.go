package integration_test

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/hsm"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// chain is a site: the controller has a token, its machines have the same one, and what is between them lies in a
// bucket.
type chain struct {
	*world
	server        *s3server.Server
	token         hsm.Token
	plugin, agent string
}

func newChain(t *testing.T, name string) *chain {
	t.Helper()
	c := &chain{token: hsm.New(t), plugin: hsm.Build(t)}
	tree := t.TempDir()
	c.token.Into(t, tree, c.plugin)
	start, env := manage(t, "--kms-identity-namespaces="+name), shared()
	program := env.program
	// This runs before the shared manager is started again.
	t.Cleanup(func() { env.program = program })
	env.program = hsm.Over(t, tree, program)
	start()
	c.world, c.server = initialized(t, name), s3server.Start(t, false, "machines")
	c.bucket(c.server)
	c.stash()
	agent, err := programs.Build(t.Context(), "machineadm")
	c.Expect(err).NotTo(HaveOccurred())
	c.agent = agent
	return c
}

// byToken has the agent bring the machine about, with what a key of the token encrypts.
func byToken(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.Delivery = &v1alpha1.DeliverySpec{
		Mode:       "Agent",
		Encryption: &v1alpha1.DeliveryEncryption{Provider: "pkcs11", Key: hsm.Key},
	}
}

// hidden holds that the planted secret is nowhere between the controller and the machine.
func (c *chain) hidden(name string) {
	c.t.Helper()
	search, err := canary.For(stashed)
	c.Expect(err).NotTo(HaveOccurred())
	objects := c.objects(c.server)
	c.Expect(objects).NotTo(BeEmpty())
	for path, data := range objects {
		c.Expect(string(data)).To(And(ContainSubstring("kind: EncryptedConfig"), ContainSubstring("@"+hsm.Key)), path)
		c.Expect(search.In(string(data))).To(BeEmpty(), path)
	}
	for _, secret := range []string{name, name + "-stored"} {
		c.Expect(search.In(string(c.data(secret).Data["value"]))).To(BeEmpty(), secret)
	}
}

// node is a machine of the site that was never on: its image has the agent, the plugin and its settings, and its token
// is plugged in.
func (c *chain) node(t *testing.T) *debian.Machine {
	t.Helper()
	m := blank(t)
	m.Install(t, "/usr/bin/machineadm", c.agent)
	c.token.Into(t, m.Path("/"), c.plugin)
	return m
}

// told is what the agent says of a machine, asked at its next boot.
func told(t *testing.T, m *debian.Machine) string {
	t.Helper()
	m.Run(t, "../consumers/cloudinit/boot.sh", "machineadm status")
	said, err := os.ReadFile(filepath.Join(m.State, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// TestTokenOpensWhatIsStored goes the whole way with real programs: the controller's token wraps the key and an S3
// server stores what it encrypts; cloud-init and Ignition lay down the stub, and the agent that it starts fetches the
// object, has the machine's token unwrap the key, and applies. A machine whose token is away says so, and nothing is
// applied.
func TestTokenOpensWhatIsStored(t *testing.T) {
	c := newChain(t, "chain")
	t.Setenv("MACHINEADM_NETWORK", "shared")
	for name, s := range stages() {
		machine := c.boot(name, false, withStorage, withSecretFile, byToken,
			func(c *v1alpha1.MachineBootstrapConfig) { c.Spec.OS = s.os })
		c.published(machine)
		c.hidden(machine)
		userdata := string(c.data(machine).Data["value"])
		t.Run(name, func(t *testing.T) { c.arrives(t, s, userdata) })
		t.Run(name+" without the token", func(t *testing.T) { c.refuses(t, s, userdata) })
	}
	c.silent(t)
}

// arrives holds that a machine with its token is what its config says.
func (c *chain) arrives(t *testing.T, s stage, userdata string) {
	t.Helper()
	g, m := NewWithT(t), c.node(t)
	out, err := s.boot(t, m, userdata).CombinedOutput()
	g.Expect(err).NotTo(HaveOccurred(), "%s%s", out, m.Log())
	g.Expect(m.Read(t, "/etc/app")).To(Equal(stashed + "\n"))
	g.Expect(m.Read(t, "/var/log/calls")).To(ContainSubstring("kubeadm join"))
	g.Expect(filepath.Join(m.State, s.sentinel, "bootstrap-success.complete")).To(BeAnExistingFile())
	g.Expect(told(t, m)).To(ContainSubstring("Succeeded"))
}

// refuses holds that a machine without its token says so, and is as it was.
func (c *chain) refuses(t *testing.T, s stage, userdata string) {
	t.Helper()
	g, m := NewWithT(t), c.node(t)
	g.Expect(os.RemoveAll(m.Path(hsm.Tokens))).To(Succeed())
	out, _ := s.boot(t, m, userdata).CombinedOutput()
	g.Expect(m.Read(t, "/var/lib/machineadm/failure.json")).To(ContainSubstring(
		"the key management service cannot be reached"), "%s", out)
	g.Expect(filepath.Join(m.State, s.sentinel, "bootstrap-failure.json")).To(BeAnExistingFile())
	g.Expect(filepath.Join(m.State, s.sentinel, "bootstrap-success.complete")).NotTo(BeAnExistingFile())
	g.Expect(m.Exists("/etc/app")).To(BeFalse(), "something was applied")
	calls, _ := os.ReadFile(m.Path("/var/log/calls"))
	g.Expect(string(calls)).NotTo(ContainSubstring("kubeadm"))
	g.Expect(told(t, m)).To(ContainSubstring("the key management service cannot be reached"))
	// What the stub laid down, which userdata may compress, leads to the bucket and has no secret.
	g.Expect(m.Read(t, "/etc/machineadm/machineadm_config.yaml")).To(And(ContainSubstring("kind: RemoteConfig"),
		Not(ContainSubstring("ciphertext"))))
	canary.CheckFiles(t, m.Path("/"), stashed)
}
