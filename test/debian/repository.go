package debian

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BuildPackage returns a package that contains executable files, which are given by their paths. It needs the package
// dpkg-dev of Packages, as IndexPackages does.
func BuildPackage(t testing.TB, name, version string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	tree, packed := filepath.Join(dir, "tree"), filepath.Join(dir, "package.deb")
	write(t, filepath.Join(tree, "DEBIAN/control"), "Package: "+name+"\nVersion: "+version+"\nArchitecture: all\n"+
		"Maintainer: a <a@a.example>\nDescription: file\n")
	for path, content := range files {
		write(t, filepath.Join(tree, path), content)
	}
	Output(t, "dpkg-deb", "--root-owner-group", "--build", tree, packed)
	return read(t, packed)
}

// IndexPackages returns the files of a repository without suites: packages, which are given by the names of their
// files, and their index. sign returns the signed index.
func IndexPackages(
	t testing.TB, packed map[string]string, sign func(t testing.TB, release string) string,
) map[string]string {
	t.Helper()
	dir, files := t.TempDir(), map[string]string{}
	for name, content := range packed {
		write(t, filepath.Join(dir, name), content)
		files[name] = content
	}
	index := Output(t, "sh", "-c", `cd "$0" && dpkg-scanpackages .`, dir) + "\n"
	files["Packages"] = index
	files["InRelease"] = sign(t, fmt.Sprintf("Date: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n %x %d Packages\n",
		sha256.Sum256([]byte(index)), len(index)))
	return files
}

// Download returns packages of the suite from the mirror of its root, by the names of their files. They are downloaded
// once, like the root: apt takes seconds of processor time to read the lists of all packages.
func Download(t testing.TB, suite string, names ...string) map[string]string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "machineadm", "packages", suite+"-"+strings.Join(names, "-"))
	if _, err := os.Stat(dir); err != nil {
		save(t, dir, download(t, suite, names...))
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	packed := map[string]string{}
	for _, f := range files {
		packed[f.Name()] = read(t, filepath.Join(dir, f.Name()))
	}
	return packed
}

// save writes files to a directory, which exists with all of them or not at all.
func save(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "part-")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(part, name), content)
	}
	// Another test may have saved them in the meantime.
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	if err := os.RemoveAll(part); err != nil {
		t.Fatal(err)
	}
}

func download(t testing.TB, suite string, names ...string) map[string]string {
	t.Helper()
	m := New(t, suite)
	for _, name := range []string{"/etc/resolv.conf", "/etc/hosts"} {
		m.Put(t, name, read(t, name), 0o644)
	}
	root := m.Mount(t)
	Output(t, "chroot", append([]string{
		root, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin", "sh", "-c",
		`mkdir /srv/files && cd /srv/files && apt-get -q update && apt-get -q -o APT::Sandbox::User=root download "$@"`,
		"sh",
	}, names...)...)
	files, err := os.ReadDir(m.Path("/srv/files"))
	if err != nil || len(files) != len(names) {
		t.Fatalf("download %q: %v %v", names, files, err)
	}
	packed := map[string]string{}
	for _, f := range files {
		packed[f.Name()] = m.Read(t, "/srv/files/"+f.Name())
	}
	return packed
}

// Signer is a key of gpg.
type Signer struct {
	home string
	// Public is the armored public key.
	Public string
}

// NewSigner returns a new key. It needs the package gpg of Packages.
func NewSigner(t testing.TB) Signer {
	t.Helper()
	s := Signer{home: t.TempDir()}
	if err := os.Chmod(s.home, 0o700); err != nil {
		t.Fatal(err)
	}
	s.gpg(t, "--quick-generate-key", "--passphrase", "", "conformance", "rsa2048", "sign", "never")
	s.Public = s.gpg(t, "--armor", "--export")
	return s
}

func (s Signer) gpg(t testing.TB, args ...string) string {
	t.Helper()
	return Output(t, "gpg", append([]string{"--homedir", s.home, "--batch", "--quiet"}, args...)...)
}

// Sign returns the index with its signature.
func (s Signer) Sign(t testing.TB, release string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Release")
	write(t, path, release)
	return s.gpg(t, "--clearsign", "--output", "-", path) + "\n"
}

// StartContainerd is a shell script that runs containerd with its configuration until its CRI plugin has started, and
// then stops it. It fails with the list of plugins and the log. The root of a machine of tests is an overlay, on which
// containerd cannot put another one.
const StartContainerd = `mkdir -p /var/lib/containerd && mount -t tmpfs tmpfs /var/lib/containerd
containerd >/var/log/containerd 2>&1 &
i=0
until ctr plugins ls 2>/dev/null | grep -Eq '^io.containerd.grpc.v1 +cri .* ok'; do
  i=$((i + 1))
  [ "$i" -lt 600 ] || { ctr plugins ls; cat /var/log/containerd; exit 1; }
  sleep 0.1
done
kill $!
wait $! || :
umount /var/lib/containerd
`

func read(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}
