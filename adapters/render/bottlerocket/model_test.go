package bottlerocket

import (
	"strings"
	"testing"
)

func TestModelIsSourced(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range model() {
		if s.source == "" || s.is.ok == nil || s.is.takes == "" {
			t.Errorf("%s has no source or no type", s.key)
		}
		if seen[s.key] {
			t.Errorf("%s is listed twice", s.key)
		}
		seen[s.key] = true
		if strings.Contains(s.key, ".*.") && s.name.ok == nil {
			t.Errorf("%s takes any name", s.key)
		}
	}
}

// The model must contain every setting that machineadm writes.
func TestEveryFieldOfKubeletHasItsSetting(t *testing.T) {
	x := known()
	for _, fields := range []map[string]string{kubeletFields(), kubeletArgs()} {
		for field, key := range fields {
			if _, _, found := x.find([]string{"kubernetes", key}); !found && !x.branch([]string{"kubernetes", key}) {
				t.Errorf("%s becomes %s, which the model does not have", field, key)
			}
		}
	}
}

func TestConstraints(t *testing.T) {
	cases := map[string]struct {
		is        constraint
		good, bad []any
	}{
		"quantity": {quantity(), []any{"129e6", "10Mi", "100m", "1000n", "5"}, []any{
			"", "12%", "12ki", "100e23m",
			"1000i", int64(5), "1\n",
		}},
		"threshold": {threshold(), []any{"10%", "5.5%", "1Gi"}, []any{"100%", "x%", ""}},
		"duration":  {duration(), []any{"9ms", "1h2m3s10ms", "1.5h3.5m"}, []any{"", "100", "1m2h", "9ns"}},
		"hostname": {hostname(), []any{"a", "a.b-c.9"}, []any{
			"", "-a", ".a", "a..b", "a.-b", "A",
			strings.Repeat("a", 64),
		}},
		"domain": {domain(), []any{"cluster.local"}, []any{".a", "1.2.3.4", "a/b", ""}},
		"sysctl": {
			sysctlName(),
			[]any{"net.ipv4.conf", "fs/aio-nr", strings.Repeat("a", 128)},
			[]any{"", "..", "a..b", "/a", ".a", "-a", "a b", strings.Repeat("a", 129)},
		},
		"label key": {labelKey(), []any{"a", "a.b/c_d"}, []any{"", ".a", "a.", "a/", strings.Repeat("a", 64)}},
		"taints": {taintValues(), []any{[]any{"v:NoSchedule", ":NoExecute"}}, []any{
			[]any{"v"},
			"v:NoSchedule",
			[]any{int64(1)},
		}},
		"name": {identifier(), []any{"a-1", "---"}, []any{"", "a_b", "a.b", strings.Repeat("a", 77)}},
		"address": {
			address(),
			[]any{"a", "a:8080", "https://a/b", "169.254.169.123", "aws:///a/b"},
			[]any{"", "a b", "http://a?b=c", "http://[", "a\n"},
		},
		"base64":            {base64Text(), []any{"", "aGk="}, []any{"aGk", "a b", "aGk=\n"}},
		"address of a node": {ip(), []any{"::1", "10.0.0.1"}, []any{"", "10.0.0.0/8", "fe80::1%eth0"}},
		"processors":        {find(t, "kubernetes", "reserved-cpus"), []any{"0", "0-3,8"}, []any{"", "0-", "a"}},
		"certificates":      {certificates(), nil, []any{"", "aGk=", "!"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, v := range tc.good {
				if !tc.is.ok(v) {
					t.Errorf("%#v is refused", v)
				}
			}
			for _, v := range tc.bad {
				if tc.is.ok(v) {
					t.Errorf("%#v is taken", v)
				}
			}
		})
	}
}

func find(t *testing.T, path ...string) constraint {
	t.Helper()
	s, _, found := known().find(path)
	if !found {
		t.Fatalf("no %v", path)
	}
	return s.is
}
