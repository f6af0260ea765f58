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
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// chain is a site: the controller and its machines have the same token, and the configuration passes through a bucket.
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
	start := manage(t, "--kms-identity-namespaces="+name)
	env := environmentOf(t)
	program := env.program
	// This runs before another test has the environment.
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

// byToken selects the agent, and encryption by a key of the token.
func byToken(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.Delivery = &v1alpha1.DeliverySpec{
		Mode:       "Agent",
		Encryption: &v1alpha1.DeliveryEncryption{Provider: "pkcs11", Key: hsm.Key},
	}
}

// hidden checks that the planted secret is nowhere between the controller and the machine.
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

// node returns a new machine of the site: its image has the agent, the plugin and its settings, and the token is
// present.
func (c *chain) node(t *testing.T) *debian.Machine {
	t.Helper()
	m := blank(t)
	m.Install(t, "/usr/bin/machineadm", c.agent)
	c.token.Into(t, m.Path("/"), c.plugin)
	return m
}

// agentStatus returns the agent's status of a machine, from its next boot.
func agentStatus(t *testing.T, m *debian.Machine) string {
	t.Helper()
	m.Run(t, "../consumers/cloudinit/boot.sh", "machineadm status")
	message, err := os.ReadFile(filepath.Join(m.State, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

// TestTokenOpensWhatIsStored follows a configuration with real programs: the controller's token wraps the key, and an
// S3 server stores the encrypted object; cloud-init and Ignition write the stub; the agent that it starts fetches the
// object, unwraps the key with the machine's token, and applies. A machine without its token reports that, and applies
// nothing.
func TestTokenOpensWhatIsStored(t *testing.T) {
	t.Parallel()
	c := newChain(t, "chain")
	// test/consumers/agent boots with a token by cloud-init.
	for name, s := range nightly.Cases(t, stages(), "ignition") {
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

// arrives checks that a machine with its token has its configuration.
func (c *chain) arrives(t *testing.T, s stage, userdata string) {
	t.Helper()
	g, m := NewWithT(t), c.node(t)
	out, err := s.boot(t, m, userdata).CombinedOutput()
	g.Expect(err).NotTo(HaveOccurred(), "%s%s", out, m.Log())
	g.Expect(m.Read(t, "/etc/app")).To(Equal(stashed + "\n"))
	g.Expect(m.Read(t, "/var/log/calls")).To(ContainSubstring("kubeadm join"))
	g.Expect(filepath.Join(m.State, s.sentinel, "bootstrap-success.complete")).To(BeAnExistingFile())
	g.Expect(agentStatus(t, m)).To(ContainSubstring("Succeeded"))
}

// refuses checks that a machine without its token reports that, and is unchanged.
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
	g.Expect(agentStatus(t, m)).To(ContainSubstring("the key management service cannot be reached"))
	// The configuration in the stub, which userdata may compress, names the bucket and has no secret.
	g.Expect(m.Read(t, "/etc/machineadm/machineadm_config.yaml")).To(And(ContainSubstring("kind: RemoteConfig"),
		Not(ContainSubstring("ciphertext"))))
	canary.CheckFiles(t, m.Path("/"), stashed)
}
