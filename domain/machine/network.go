package machine

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"net/url"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// TrustedCA is one or more certificates that the machine trusts.
type TrustedCA struct {
	// Name is unique and becomes part of a file name.
	Name string `json:"name"`
	// PEM is one or more CERTIFICATE blocks.
	PEM []byte `json:"content"`
}

// TrustedCAsConfig adds certificates to the system's trust store.
type TrustedCAsConfig struct {
	// CAs are the certificates to add.
	CAs []TrustedCA `json:"trustedCAs,omitempty"`
}

// Kind returns KindTrustedCAs.
func (TrustedCAsConfig) Kind() document.Kind { return KindTrustedCAs }

// Check returns error findings for bundles without valid certificates.
func (c TrustedCAsConfig) Check(p report.Path) report.Report {
	var r report.Report
	seen := map[string]int{}
	for i, ca := range c.CAs {
		at := p.Field("trustedCAs").Index(i)
		if first, dup := seen[ca.Name]; dup {
			r = append(r, report.Errorf(at.Field("name"), "%q is already the name of element %d", ca.Name,
				first).To("name each differently"))
		}
		seen[ca.Name] = i
		r = append(r, checkFileName(at.Field("name"), ca.Name)...)
		r = append(r, checkCertificates(at.Field("content"), ca.PEM)...)
	}
	return r
}

func checkCertificates(p report.Path, bundle []byte) report.Report {
	blocks := 0
	for rest := bytes.TrimSpace(bundle); len(rest) > 0; rest = bytes.TrimSpace(rest) {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return report.Report{report.Errorf(p, "the text after %d certificates is not PEM", blocks).To("remove it")}
		}
		if block.Type != "CERTIFICATE" {
			return report.Report{report.Errorf(p, "PEM block %d is not a CERTIFICATE", blocks+1).To("remove it")}
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return report.Report{report.Errorf(p, "certificate %d: %s", blocks+1, report.Unquoted(err.Error()))}
		}
		blocks++
	}
	if blocks == 0 {
		return report.Report{report.Errorf(p, "the text contains no certificate").To(
			"write PEM blocks of the type CERTIFICATE")}
	}
	return nil
}

// ProxyConfig sets the proxies of the machine. The URLs may contain credentials.
type ProxyConfig struct {
	// HTTPProxy is the URL of the proxy for http, such as http://user:password@proxy:3128.
	HTTPProxy secret.Value `json:"httpProxy,omitempty"`
	// HTTPSProxy is the URL of the proxy for https.
	HTTPSProxy secret.Value `json:"httpsProxy,omitempty"`
	// NoProxy lists hosts, domains and CIDRs that are reached directly.
	NoProxy []string `json:"noProxy,omitempty"`
}

// ProxyNothing is the element of NoProxy with which everything is reached directly.
const ProxyNothing = "*"

// WithDirect returns the configuration with those of the hosts that NoProxy lacks, after its own elements. It changes
// nothing if there is no proxy, or if NoProxy contains ProxyNothing, which some programs support only alone.
func (c ProxyConfig) WithDirect(hosts []string) ProxyConfig {
	if c.HTTPProxy.IsZero() && c.HTTPSProxy.IsZero() || slices.Contains(c.NoProxy, ProxyNothing) {
		return c
	}
	c.NoProxy = slices.Clone(c.NoProxy)
	for _, host := range hosts {
		if !slices.Contains(c.NoProxy, host) {
			c.NoProxy = append(c.NoProxy, host)
		}
	}
	return c
}

// Kind returns KindProxy.
func (ProxyConfig) Kind() document.Kind { return KindProxy }

// Check returns error findings for proxies that are not URLs.
func (c ProxyConfig) Check(p report.Path) report.Report {
	r := checkProxyURL(p.Field("httpProxy"), c.HTTPProxy)
	r = append(r, checkProxyURL(p.Field("httpsProxy"), c.HTTPSProxy)...)
	for i, n := range c.NoProxy {
		r = append(r, checkItem(p.Field("noProxy").Index(i), n)...)
	}
	return r
}

func checkProxyURL(p report.Path, v secret.Value) report.Report {
	if v.IsZero() {
		return nil
	}
	u, err := url.Parse(string(v.Reveal()))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5") {
		return report.Report{report.Errorf(p, "this is not the URL of a proxy").To("write http://host:port")}
	}
	return checkWord(p, string(v.Reveal()))
}
