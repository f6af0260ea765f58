package dist_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/fips"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// TestFIPSRelease writes the variant with the Go Cryptographic Module: in a nightly run the image and the programs for
// Linux, and otherwise the manifests. cmd/machineadm builds and runs an agent with the module, and test/clusterctl the
// programs of the image.
func TestFIPSRelease(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	flags := nightly.Or([]string{"-platforms", "linux/amd64 linux/arm64"}, []string{"-platforms", "", "-skip-image"})
	args := append(append([]string{"run", "./hack/dist", "-fips"}, flags...), version, out)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = programs.Root(), append(os.Environ(), "SOURCE_DATE_EPOCH="+epoch)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	image := "image: ghcr.io/machineadm/machineadm-controller-fips" + nightly.Or("@sha256:", ":"+version)
	if text := string(read(t, out, "install.yaml")); strings.Count(text, image) != len(parts()) {
		t.Error("install.yaml has another image")
	}
	if !nightly.Enabled() {
		return
	}
	for _, name := range []string{"bin/machineadmctl-fips-linux-arm64", "agents-fips/machineadm-linux-amd64"} {
		info, err := buildinfo.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == "GOFIPS140" && strings.HasPrefix(s.Value, fips.Module)
		}) {
			t.Errorf("%s has no module: %v", name, info.Settings)
		}
	}
	for _, name := range []string{
		"packages/machineadm-fips_0.1.0_amd64.deb", "packages/machineadmctl-fips-0.1.0-1.x86_64.rpm",
		"machineadm-controller-fips.tar",
	} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
}

// cryptographyPattern matches packages with cryptography that is not in Go's standard library.
var cryptographyPattern = regexp.MustCompile(
	`(?i)^(filippo\.io/[^/]+|golang\.org/x/crypto/[^/]+|` +
		`.*/(circl|openpgp|blake[23][^/]*|secp256k1|tink|argon2|sm[234]))(/|$)`)

// TestCryptographyOutsideOfTheModule lists the libraries with cryptography of their own in each program.
// docs/release.md describes what becomes of them in the FIPS variant.
func TestCryptographyOutsideOfTheModule(t *testing.T) {
	want := map[string][]string{
		"machineadm-controller": {
			"filippo.io/age", "golang.org/x/crypto/chacha20", "golang.org/x/crypto/chacha20poly1305",
			"golang.org/x/crypto/curve25519", "golang.org/x/crypto/hkdf", "golang.org/x/crypto/pbkdf2",
			"golang.org/x/crypto/scrypt",
			"golang.org/x/crypto/blowfish", "golang.org/x/crypto/cryptobyte", "golang.org/x/crypto/internal",
			"golang.org/x/crypto/ssh",
		},
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`,
		"./cmd/machineadm...")
	list.Dir = programs.Root()
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(output)) {
		packages := strings.Fields(line)
		name := path.Base(packages[0])
		var got []string
		for _, p := range packages[1:] {
			if found := cryptographyPattern.FindStringSubmatch(p); found != nil {
				got = append(got, found[1])
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(slices.Values(want[name])), slices.Compact(got)); diff != "" {
			t.Errorf("%s links other libraries than docs/release.md describes:\n%s", name, diff)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("there is no program %v", want)
	}
}
