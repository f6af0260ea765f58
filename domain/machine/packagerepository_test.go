package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
)

// publicKey is an armored block that begins with the packet of a public key.
const publicKey = "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: GnuPG\n\nmDMEY29uZm9ybWFuY2U=\n=AAAA\n" +
	"-----END PGP PUBLIC KEY BLOCK-----\n"

// TestPackageRepository holds which values a repository refuses: those that would change the meaning of its file, and
// keys that verify nothing.
func TestPackageRepository(t *testing.T) {
	const (
		noKey    = "set the armored public key, as in the file Release.key of the repository"
		notName  = " is not the name of a repository; use at most 63 lower-case letters, digits, dashes and underscores"
		reserved = "the URL contains characters that the files of package managers reserve; escape them with %, and use " +
			"no placeholder other than {minor}"
		notURL    = "this is not an http, https or file URL"
		notArmor  = "error: spec.signingKey: this is not one armored OpenPGP public key block; " + noKey
		noSuite   = " is not the name of a suite; use one name, as in trixie"
		component = " is not the name of a component; use one name in each element, as in main"
	)
	cases := map[string]struct {
		change func(*machine.PackageRepository)
		want   string
	}{
		"flat":        {change: func(r *machine.PackageRepository) {}},
		"a suite":     {change: suite("trixie-updates", "main", "non-free-firmware")},
		"a path":      {change: suite("stable/amd64/")},
		"the root":    {change: suite("/")},
		"placeholder": {change: located("https://mirror.example/core:/stable:/{minor}/deb/")},
		"variables":   {change: located("https://mirror.example/$releasever/$basearch/")},
		"an address":  {change: func(r *machine.PackageRepository) { r.URL = "http://[fd00::1]:8080/deb" }},
		"a directory": {change: func(r *machine.PackageRepository) { r.URL = "file:///srv/packages" }},
		"no name":     {change: named(""), want: `error: spec.name: ""` + notName},
		"path traversal": {
			change: named("../../cron.d/a"), want: `error: spec.name: "../../cron.d/a"` + notName,
		},
		"a section": {change: named("a]\n[b"), want: `error: spec.name: "a]\n[b"` + notName},
		"a dot":     {change: named("a.list"), want: `error: spec.name: "a.list"` + notName},
		"a long name": {
			change: named(strings.Repeat("a", 64)), want: `error: spec.name: "` + strings.Repeat("a", 64) + `"` + notName,
		},
		"options of apt": {
			change: located("[trusted=yes] https://a.example/"), want: "error: spec.url: " + notURL,
		},
		"options after the URL": {
			change: located("https://a.example/ trusted=yes"),
			want:   "error: spec.url: the value must not contain white space; remove it",
		},
		"another field": {
			change: located("https://a.example/\nTrusted: yes"), want: "error: spec.url: " + notURL,
		},
		"another section": {
			change: located("https://a.example/\r\ngpgcheck=0"), want: "error: spec.url: " + notURL,
		},
		"a command": {change: located("https://a.example/`id`"), want: "error: spec.url: " + reserved},
		"a query":   {change: located("https://a.example/?a=b"), want: "error: spec.url: " + reserved},
		"a comment": {change: located("https://a.example/#b"), want: "error: spec.url: " + reserved},
		"Unicode":   {change: located("https://a.example/ä"), want: "error: spec.url: " + reserved},
		"another placeholder": {
			change: located("https://a.example/{version}/"), want: "error: spec.url: " + reserved,
		},
		"a method of apt": {change: located("ssh://a.example/"), want: "error: spec.url: " + notURL},
		"a disc":          {change: located("cdrom:[a]/"), want: "error: spec.url: " + notURL},
		"a password": {
			change: located("https://user:secret@a.example/"),
			want: "error: spec.url: the URL contains credentials, which users of the machine could read; serve the files " +
				"without them; a digest or a key verifies them",
		},
		"two suites": {change: suite("a b", "main"), want: `error: spec.suite: "a b"` + noSuite},
		"a suite outside of the repository": {
			change: suite("a/../../b", "main"), want: `error: spec.suite: "a/../../b"` + noSuite,
		},
		"a field after the suite": {
			change: suite("a\nTrusted: yes", "main"), want: `error: spec.suite: "a\nTrusted: yes"` + noSuite,
		},
		"a suite without components": {
			change: suite("trixie"),
			want: `error: spec.components: the suite "trixie" has no components; add components, as in main, or end the ` +
				"suite in a slash if the repository has none",
		},
		"components without a suite": {
			change: suite("", "main"),
			want:   "error: spec.components: components have no effect without a suite; set suite, or remove components",
		},
		"a field after the component": {
			change: suite("trixie", "main\nTrusted: yes"), want: `error: spec.components[0]: "main\nTrusted: yes"` + component,
		},
		"no component": {change: suite("trixie", ""), want: `error: spec.components[0]: ""` + component},
		"no key": {
			change: signed(""),
			want: "error: spec.signingKey: the repository has no signing key, so that its packages cannot be verified; " +
				noKey,
		},
		"a private key": {
			change: signed(strings.ReplaceAll(publicKey, "PUBLIC", "PRIVATE")),
			want: "error: spec.signingKey: this is a private key, which every user of the machine could read; " +
				noKey,
		},
		"a private key in a public block": {
			change: signed(strings.Replace(publicKey, "mDME", "lDME", 1)), want: notArmor,
		},
		"a private key in a new packet": {
			change: signed(strings.Replace(publicKey, "mDME", "xTME", 1)), want: notArmor,
		},
		"a new packet":          {change: signed(strings.Replace(publicKey, "mDME", "xjME", 1))},
		"two keys":              {change: signed(publicKey + publicKey), want: notArmor},
		"a fingerprint":         {change: signed("DE15 B144 86CD 377B 9E87  6E1A 2346 54DA 9A29 6436"), want: notArmor},
		"a path of the machine": {change: signed("/etc/apt/trusted.gpg"), want: notArmor},
		"cut off":               {change: signed(publicKey[:len(publicKey)/2]), want: notArmor},
		"no packets": {
			change: signed("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n\n-----END PGP PUBLIC KEY BLOCK-----"), want: notArmor,
		},
		"not base64":      {change: signed(strings.Replace(publicKey, "mDME", "mD*E", 1)), want: notArmor},
		"no packet":       {change: signed(strings.Replace(publicKey, "mDME", "ADME", 1)), want: notArmor},
		"escape sequence": {change: signed(strings.Replace(publicKey, "GnuPG", "\x1b[2J", 1)), want: notArmor},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := machine.PackageRepository{Name: "tools", URL: "https://mirror.example/tools/", SigningKey: publicKey}
			c.change(&r)
			if got := r.Check("spec").String(); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func named(name string) func(*machine.PackageRepository) {
	return func(r *machine.PackageRepository) { r.Name = name }
}

func located(url string) func(*machine.PackageRepository) {
	return func(r *machine.PackageRepository) { r.URL = url }
}

func suite(name string, components ...string) func(*machine.PackageRepository) {
	return func(r *machine.PackageRepository) { r.Suite, r.Components = name, components }
}

func signed(key string) func(*machine.PackageRepository) {
	return func(r *machine.PackageRepository) { r.SigningKey = key }
}
