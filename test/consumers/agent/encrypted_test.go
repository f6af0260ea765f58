package agent_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/nightly"
)

// phrase is known to the controller's side and to the machine.
const phrase = "a passphrase of the site"

// encryptedDelivery has the agent's configuration encrypted with it.
const encryptedDelivery = "{mode: Agent, encryption: {provider: file, passphraseURI: " +
	"\"file:///etc/site/passphrase\", passphraseSecretRef: {name: site, key: phrase}}}"

// encrypted returns the userdata of the machine of the name, whose configuration is encrypted.
func encrypted(t *testing.T, terminal, distribution, name string) []byte {
	t.Helper()
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(manifests), "{mode: Agent}", encryptedDelivery, 1) +
		"---\napiVersion: v1\nkind: Secret\nmetadata: {name: site, namespace: default}\nstringData: {phrase: " + phrase +
		"}\n"
	text = strings.ReplaceAll(text, "name: worker", "name: "+name)
	data := rendered(t, terminal, distribution, []byte(text))
	search, err := canary.For()
	if err != nil {
		t.Fatal(err)
	}
	for _, sighting := range search.In(string(data)) {
		t.Error(sighting)
	}
	return data
}

// TestEncryptedBoots has real first-boot tools lay down what is encrypted, and the agent decrypt it.
func TestEncryptedBoots(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	cases := map[string]struct {
		distribution string
		provision    func(t *testing.T, agent, suite string, data []byte) (*machine, []string)
	}{"cloud-init": {"debian", byCloudInit}, "Ignition": {"fedora-coreos", byIgnition}}
	for name, c := range nightly.Cases(t, cases, "Ignition") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := encrypted(t, terminal, c.distribution, "worker")
			m, provisioning := c.provision(t, agent, "bookworm", data)
			m.Put(t, "/etc/site/passphrase", phrase+"\n", 0o600)
			m.Run(t, "../goldens/nspawn.sh", provisioning...)
			m.holdsAll(t)
			m.accepted(t)
			m.showsNoSecret(t)
		})
	}
}

// TestEncryptedRefuses has what is wrong end in an error of its own, with nothing of the configuration applied.
func TestEncryptedRefuses(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	data := encrypted(t, terminal, "debian", "worker")
	other := encrypted(t, terminal, "debian", "other")
	cases := map[string]struct {
		reason string
		data   []byte
		phrase string
		want   string
	}{
		"another passphrase": {"", data, "another passphrase, as long", "cannot be decrypted"},
		"no passphrase":      {"it may come", data, "", "cannot be reached"},
		"flipped bit":        {"the data were changed", flipped(t, data), phrase, "cannot be decrypted"},
		"replayed": {"another machine's was put in its place", bytes.Replace(other, []byte("default/other"),
			[]byte("default/worker"), -1), phrase, "cannot be decrypted"},
	}
	for name, c := range nightly.Cases(t, cases, "replayed") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := byCloudInit(t, agent, "trixie", c.data)
			if c.phrase != "" {
				m.Put(t, "/etc/site/passphrase", c.phrase+"\n", 0o600)
			}
			m.Run(t, "../goldens/nspawn.sh")
			if failure := m.Read(t, "/var/log/report/cluster-api/bootstrap-failure.json"); !strings.Contains(failure, c.want) {
				t.Errorf("%s: the failure is %s\n%s", c.reason, failure, m.Log())
			}
			for _, path := range []string{
				"/etc/app/name", "/srv/app/licence", "/var/log/phases",
				"/var/log/report/cluster-api/bootstrap-success.complete",
			} {
				if m.Exists(path) {
					t.Errorf("%s is there", path)
				}
			}
		})
	}
}

// TestLateKey provides the passphrase after the first boot. That boot has failed, and later boots report it
// and apply nothing.
func TestLateKey(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	m, _ := byCloudInit(t, agent, "trixie", encrypted(t, terminal, "debian", "worker"))
	m.Run(t, "../goldens/nspawn.sh")
	first := m.failed(t)
	if first.Phase != "start" || !strings.Contains(first.Cause, "cannot be reached") ||
		!m.Exists(delivery.ResumeUnitPath) {
		t.Fatalf("the first boot: %+v\n%s", first, m.Log())
	}
	m.Put(t, "/etc/site/passphrase", phrase+"\n", 0o600)
	for range nightly.Or(2, 1) {
		m.Run(t, "../goldens/nspawn.sh")
		if diff := cmp.Diff(first, m.failed(t)); diff != "" || m.Exists("/var/log/phases") {
			t.Errorf("a later boot: %s\n%s", diff, m.Log())
		}
	}
}

// flipped changes a bit in the middle of the ciphertext.
func flipped(t *testing.T, data []byte) []byte {
	t.Helper()
	at := bytes.Index(data, []byte("ciphertext: "))
	if at < 0 {
		t.Fatal("there is no ciphertext")
	}
	at += 100
	changed := bytes.Clone(data)
	if changed[at] == 'A' {
		changed[at] = 'B'
	} else {
		changed[at] = 'A'
	}
	return changed
}
