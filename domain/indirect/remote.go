package indirect

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// RemoteConfig is replaced by a machine configuration that the agent fetches.
type RemoteConfig struct {
	// Provider names the plugin that fetches the configuration: machineadm-remote-configuration-provider-<provider>.
	Provider string `json:"provider"`
	// URI is the location at the provider, such as s3://bucket/key. Messages omit its query and its fragment, which may be
	// credentials.
	URI string `json:"uri"`
	// SHA256 is the digest of the fetched bytes, in lower-case hexadecimal. Default: the digest is not checked.
	SHA256 string `json:"sha256,omitempty"`
	// Headers are sent with the request by providers that use HTTP.
	Headers []Header `json:"headers,omitempty"`
	// CABundle is certificates in PEM. The server is verified with them and those of the system.
	CABundle string `json:"caBundle,omitempty"`
}

// Header is a header of a request.
type Header struct {
	// Name is the name of the header, such as Authorization.
	Name string `json:"name"`
	// Value is the value of the header.
	Value secret.Value `json:"value"`
}

// Kind returns KindRemote.
func (RemoteConfig) Kind() document.Kind { return KindRemote }

// Place returns the URI without the parts that may contain credentials: user, password, query and fragment.
func (c RemoteConfig) Place() string { return secret.PublicURI(c.URI) }

// Secrets returns the values that may be credentials: the parts of the URI that Place omits, and the values of headers.
func (c RemoteConfig) Secrets() []secret.Value {
	before, fragment, _ := strings.Cut(c.URI, "#")
	before, query, _ := strings.Cut(before, "?")
	found := []secret.Value{secret.FromString(query), secret.FromString(fragment)}
	if _, rest, is := strings.Cut(before, "://"); is {
		host, _, _ := strings.Cut(rest, "/")
		user := host[:max(0, strings.LastIndexByte(host, '@'))]
		_, password, _ := strings.Cut(user, ":")
		found = append(found, secret.FromString(user), secret.FromString(password))
	}
	for _, part := range []string{query, fragment} {
		for parameter := range strings.SplitSeq(part, "&") {
			_, value, _ := strings.Cut(parameter, "=")
			found = append(found, secret.FromString(value))
		}
	}
	for _, h := range c.Headers {
		found = append(found, h.Value)
	}
	return slices.DeleteFunc(found, secret.Value.IsZero)
}

// Check returns error findings for missing fields, and for invalid digests and headers.
func (c RemoteConfig) Check(p report.Path) report.Report {
	r := required(p.Field("provider"), c.Provider)
	r = append(r, required(p.Field("uri"), c.URI)...)
	if raw, err := hex.DecodeString(c.SHA256); c.SHA256 != "" && (err != nil || len(raw) != 32 ||
		hex.EncodeToString(raw) != c.SHA256) {
		r = append(r, report.Errorf(p.Field("sha256"), "this is not a digest of 64 lower-case hexadecimal digits"))
	}
	for i, h := range c.Headers {
		if h.Name == "" || strings.ContainsAny(h.Name+string(h.Value.Reveal()), "\r\n\x00") {
			r = append(r, report.Errorf(p.Field("headers").Index(i), "this is not an HTTP header"))
		}
	}
	return r
}
