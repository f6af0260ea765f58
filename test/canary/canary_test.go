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

// recorder stands for a test that is expected to fail.
type recorder struct {
	testing.TB
	said strings.Builder
}

func (r *recorder) Helper()                           {}
func (r *recorder) Error(args ...any)                 { fmt.Fprintln(&r.said, args...) }
func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.said, format+"\n", args...) }

func TestCheckSeesTheMark(t *testing.T) {
	quoted, err := json.Marshal(map[string]string{"password": canary.Mark})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ reason, text string }{
		"plain":     {reason: "as it is", text: "level=error password=" + canary.Mark + "\n"},
		"json":      {reason: "quoted", text: string(quoted)},
		"token":     {reason: "within a token", text: canary.Token},
		"hex":       {reason: "printed by %x", text: hex.EncodeToString([]byte("a:" + canary.Mark))},
		"base64":    {reason: "as a Secret's data", text: base64.StdEncoding.EncodeToString([]byte(canary.Mark))},
		"base64-1":  {reason: "one byte before it", text: base64.StdEncoding.EncodeToString([]byte(":" + canary.Mark + "?>"))},
		"base64-2":  {reason: "two bytes before it", text: base64.StdEncoding.EncodeToString([]byte("u:" + canary.Mark + "\n"))},
		"base64url": {reason: "in an address", text: base64.RawURLEncoding.EncodeToString([]byte("user:" + canary.Mark + "\xff\xfe"))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			canary.Check(r, "the log", tc.text)
			if !strings.HasPrefix(r.said.String(), "the log shows a secret") {
				t.Errorf("%s: not seen", tc.reason)
			}
			canary.Check(t, "the failure itself", r.said.String())
		})
	}
}

func TestCheckSeesNothing(t *testing.T) {
	r := &recorder{}
	canary.Check(r, "the log", "canary 7q9zk2xw5v, [redacted], Y2FuYXJ5")
	if r.said.Len() > 0 {
		t.Error(r.said.String())
	}
}

func TestMade(t *testing.T) {
	payload := "token: qwerty." + strings.Repeat("s", 16) + "\n-----BEGIN EC PRIVATE KEY-----\n" + strings.Repeat("K", 64) + "\nrest\n"
	made := canary.Made(payload)
	if len(made) != 2 {
		t.Fatalf("%d secrets", len(made))
	}
	r := &recorder{}
	canary.Check(r, "a finding", "the token is qwerty."+made[1], made...)
	if r.said.Len() == 0 {
		t.Error("a secret that was made is not seen")
	}
}

func TestCheckFiles(t *testing.T) {
	dir := t.TempDir()
	r := &recorder{}
	canary.CheckFiles(r, dir)
	if !strings.Contains(r.said.String(), "no file") {
		t.Errorf("nothing was searched, and nobody minds: %s", r.said.String())
	}
	if err := os.WriteFile(filepath.Join(dir, "log"), []byte(canary.Mark), 0o600); err != nil {
		t.Fatal(err)
	}
	r = &recorder{}
	canary.CheckFiles(r, dir)
	if !strings.Contains(r.said.String(), "log shows") {
		t.Errorf("not seen: %s", r.said.String())
	}
}

func TestShortSecretsAreRefused(t *testing.T) {
	if _, err := canary.For("abc"); err == nil {
		t.Error("a search for three bytes would see them everywhere")
	}
}
