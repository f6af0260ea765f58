package canary_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

// recorder implements testing.TB for a test that is expected to fail.
type recorder struct {
	testing.TB
	output strings.Builder
}

func (r *recorder) Helper()                           {}
func (r *recorder) Error(args ...any)                 { fmt.Fprintln(&r.output, args...) }
func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.output, format+"\n", args...) }

func TestCheckSeesTheMark(t *testing.T) {
	quoted, err := json.Marshal(map[string]string{"password": canary.Mark})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ reason, text string }{
		"plain":   {reason: "as it is", text: "level=error password=" + canary.Mark + "\n"},
		"json":    {reason: "quoted", text: string(quoted)},
		"token":   {reason: "within a token", text: canary.Token},
		"hex":     {reason: "printed by %x", text: hex.EncodeToString([]byte("a:" + canary.Mark))},
		"HEX":     {reason: "printed by %X", text: fmt.Sprintf("%X", "a:"+canary.Mark)},
		"spaced":  {reason: "printed by % x", text: fmt.Sprintf("% x", "a:"+canary.Mark)},
		"bytes":   {reason: "printed by %v", text: fmt.Sprint([]byte("a:" + canary.Mark + "\n"))},
		"pointer": {reason: "bytes of a struct", text: fmt.Sprintf("%+v", &struct{ Data []byte }{[]byte(canary.Mark)})},
		"Go":      {reason: "printed by %#v", text: fmt.Sprintf("%#v", []byte("a:"+canary.Mark+"b"))},
		"numbers": {reason: "a list of JSON", text: strings.ReplaceAll(fmt.Sprint([]byte(canary.Mark)), " ", ",")},
		"base64":  {reason: "as a Secret's data", text: base64.StdEncoding.EncodeToString([]byte(canary.Mark))},
		"base64-1": {reason: "one byte before it", text: base64.StdEncoding.EncodeToString([]byte(":" +
			canary.Mark + "?>"))},
		"base64-2": {reason: "two bytes before it", text: base64.StdEncoding.EncodeToString([]byte("u:" +
			canary.Mark + "\n"))},
		"base64url": {reason: "in an address", text: base64.RawURLEncoding.EncodeToString([]byte("user:" +
			canary.Mark + "\xff\xfe"))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			canary.Check(r, "the log", tc.text)
			if !strings.HasPrefix(r.output.String(), "the log shows a secret") {
				t.Errorf("%s: not seen", tc.reason)
			}
			canary.Check(t, "the failure itself", r.output.String())
		})
	}
}

func TestCheckSeesNothing(t *testing.T) {
	r := &recorder{}
	canary.Check(r, "the log", "canary 7q9zk2xw5v, [redacted], Y2FuYXJ5")
	if r.output.Len() > 0 {
		t.Error(r.output.String())
	}
}

func TestPlant(t *testing.T) {
	payload := "token: qwerty." + strings.Repeat("s", 16) + "\n-----BEGIN EC PRIVATE KEY-----\n" + strings.Repeat("K",
		64) + "\nrest\n"
	created := canary.SecretsIn(payload)
	if len(created) != 2 {
		t.Fatalf("%d secrets", len(created))
	}
	r := &recorder{}
	canary.Check(r, "a finding", "the token is qwerty."+created[1], created...)
	if r.output.Len() == 0 {
		t.Error("a secret that was made is not seen")
	}
}

func TestEachFormOfASecretIsFound(t *testing.T) {
	long := strings.Repeat("s", 43)
	cases := map[string]struct{ reason, payload, want string }{
		"bucket": {"S3's own signature", "https://b/o?X-Amz-Date=1&X-Amz-Signature=" + long + "&x-id=GetObject", long},
		"session": {
			"a token of temporary credentials", "https://b/o?X-Amz-Security-Token=" + long + "%2B%3D&a=b",
			long + "%2B%3D",
		},
		"endpoint":   {"the controller's own addresses", "https://e:9444/stored/a/m/0?expires=1&signature=" + long, long},
		"report":     {"the file of the report", "https://e:9444/reports/a/m\n   " + long + "\n   -----BEGIN", long},
		"in JSON":    {"a line end is escaped", `"https://e:9444/reports/a/m\n` + long + `\n"`, long},
		"in an URL":  {"Ignition's files", "data:,https://e:9444/reports/a/m%0A" + long + "%0A", long},
		"header":     {"curl's configuration", "header = \"Authorization: Bearer " + long + "\"", long},
		"no secret":  {"digests are shown", "?sha256=" + strings.Repeat("0", 64) + "&signature=short, /reports/a/m", ""},
		"no address": {"words of a page", "reports/a/m\n" + long, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if created := strings.Join(canary.SecretsIn(tc.payload), " "); created != tc.want {
				t.Errorf("%s: made %q", tc.reason, created)
			}
		})
	}
}

// TestSecretsWithTheSameBeginning checks that each of two secrets is found whose first bytes are the same.
func TestSecretsWithTheSameBeginning(t *testing.T) {
	first, second := "the same beginning one", "the same beginning two"
	search, err := canary.For(first, second)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		first: 1, "a" + second: 1, first + second + first: 2, second + "the same beginning": 1, "the same": 0, "": 0,
	} {
		if got := len(search.In(text)); got != want {
			t.Errorf("%q shows %d secrets, want %d", text, got, want)
		}
	}
}

func TestCheckFiles(t *testing.T) {
	dir := t.TempDir()
	r := &recorder{}
	canary.CheckFiles(r, dir)
	if !strings.Contains(r.output.String(), "no file") {
		t.Errorf("nothing was searched, and the check passed: %s", r.output.String())
	}
	if err := os.WriteFile(filepath.Join(dir, "log"), []byte(canary.Mark), 0o600); err != nil {
		t.Fatal(err)
	}
	r = &recorder{}
	canary.CheckFiles(r, dir)
	if !strings.Contains(r.output.String(), "log shows") {
		t.Errorf("not seen: %s", r.output.String())
	}
}

func TestShortSecretsAreRefused(t *testing.T) {
	if _, err := canary.For("abc"); err == nil {
		t.Error("a search for three bytes would see them everywhere")
	}
}
