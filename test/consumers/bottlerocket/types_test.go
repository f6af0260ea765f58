package bottlerocket_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"html"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// The types check what they are given as the models do when they deserialize.
type (
	identifier         string
	clusterName        string
	validBase64        string
	address            string
	labelKey           string
	labelValue         string
	taint              string
	authenticationMode string
	bootstrapToken     string
	evictionKey        string
	threshold          string
	duration           string
	resource           string
	quantity           string
	cloudProvider      string
	ipAddress          string
	dnsDomain          string
	linuxHostname      string
	singleLine         string
	lockdown           string
	sysctlKey          string
	moduleKey          string
	bootstrapMode      string
	pemBundle          string
	tomlString         string
	bootKey            string
	bootValue          string
)

// match takes the text if the expression does. All types but motd refuse control characters.
func match[T ~string](into *T, text []byte, expression string) error {
	if strings.ContainsFunc(string(text), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%T: a control character", *into)
	}
	if !regexp.MustCompile(expression).Match(text) {
		return fmt.Errorf("%T: not %s", *into, expression)
	}
	*into = T(text)
	return nil
}

// escaped takes only what Bottlerocket's templates do not change: they write settings as HTML, with two braces.
func escaped[T ~string](into *T, text []byte, expression string) error {
	if html.EscapeString(string(text)) != string(text) || strings.ContainsAny(string(text), "=`\\") {
		return fmt.Errorf("%T: a template changes it", *into)
	}
	return match(into, text, expression)
}

const (
	alnum       = `[[:alnum:]]`
	labelMiddle = `([[:alnum:]._-]{0,61})?`
	value       = alnum + `(` + labelMiddle + alnum + `)?`
	number      = `([0-9]+\.)?[0-9]+`
	amount      = `([+-]?[0-9.]+)((e)?[0-9]*|((E|P|T|G|M|K)i?)?|(n|u|m|k)?)`
)

func (v *identifier) UnmarshalText(b []byte) error { return match(v, b, `^[A-Za-z0-9-]{0,76}$`) }
func (v *clusterName) UnmarshalText(b []byte) error {
	return match(v, b, `^[0-9A-Za-z][A-Za-z0-9\-_]{0,99}$`)
}

func (v *labelKey) UnmarshalText(b []byte) error {
	return match(v, b, `^([[:alnum:].-]{1,253}/)?`+value+`$`)
}
func (v *labelValue) UnmarshalText(b []byte) error { return match(v, b, `^(`+value+`)?$`) }
func (v *taint) UnmarshalText(b []byte) error {
	return match(v, b, `^(`+value+`)?:[[:alnum:]]{1,253}$`)
}

func (v *authenticationMode) UnmarshalText(b []byte) error {
	return match(v, b, `^(aws|tls)$`)
}

func (v *bootstrapToken) UnmarshalText(b []byte) error {
	return match(v, b, `^[a-z0-9]{6}\.[a-z0-9]{16}$`)
}

func (v *evictionKey) UnmarshalText(b []byte) error {
	return match(v, b, `^(memory\.available|(nodefs|imagefs)\.(available|inodesFree)|pid\.available)$`)
}

func (v *threshold) UnmarshalText(b []byte) error {
	return match(v, b, `^(`+amount+`|[0-9]{1,2}(\.[0-9]*)?%)$`)
}
func (v *quantity) UnmarshalText(b []byte) error { return match(v, b, `^`+amount+`$`) }
func (v *duration) UnmarshalText(b []byte) error {
	return match(v, b, `^(`+number+`h)?(`+number+`m)?(`+number+`s)?(`+number+`ms)?$`)
}

func (v *resource) UnmarshalText(b []byte) error {
	return match(v, b, `^(cpu|memory|ephemeral-storage)$`)
}
func (v *cloudProvider) UnmarshalText(b []byte) error { return match(v, b, `^(|aws|external)$`) }
func (v *lockdown) UnmarshalText(b []byte) error {
	return match(v, b, `^(none|integrity|confidentiality)$`)
}
func (v *bootstrapMode) UnmarshalText(b []byte) error { return match(v, b, `^(off|once|always)$`) }
func (v *moduleKey) UnmarshalText(b []byte) error     { return match(v, b, `^[A-Za-z0-9_-]{0,56}$`) }
func (v *singleLine) UnmarshalText(b []byte) error    { return escaped(v, b, `^.*$`) }
func (v *bootKey) UnmarshalText(b []byte) error {
	return match(v, b, `^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)
}
func (v *bootValue) UnmarshalText(b []byte) error { return match(v, b, `^[ -~]*$`) }

// UnmarshalText refuses what ends or escapes a string of TOML, in which templates write it.
func (v *tomlString) UnmarshalText(b []byte) error { return match(v, b, `^[^"\\]*$`) }

func (v *sysctlKey) UnmarshalText(b []byte) error {
	if s := string(b); strings.Contains(s, "..") || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "/") {
		return fmt.Errorf("%q is no path below /proc/sys", s)
	}
	return match(v, b, `^[a-zA-Z0-9./_-]{1,128}$`)
}

func (v *linuxHostname) UnmarshalText(b []byte) error {
	for segment := range strings.SplitSeq(string(b), ".") {
		if len(segment) < 1 || len(segment) > 63 || segment[0] == '-' {
			return fmt.Errorf("%q is no host name", b)
		}
	}
	return match(v, b, `^[0-9a-z.-]{1,253}$`)
}

func (v *dnsDomain) UnmarshalText(b []byte) error {
	if _, err := netip.ParseAddr(string(b)); err == nil {
		return fmt.Errorf("%q is an address", b)
	}
	return match(v, b, `^[^./ ][^/ ]*$`)
}

func (v *ipAddress) UnmarshalText(b []byte) error {
	_, err := netip.ParseAddr(string(b))
	*v = ipAddress(b)
	return err
}

func (v *address) UnmarshalText(b []byte) error {
	text := string(b)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	if _, err := url.Parse(text); err != nil {
		return err
	}
	return escaped(v, b, `^[^ ]+$`)
}

func (v *validBase64) UnmarshalText(b []byte) error {
	_, err := base64.StdEncoding.Strict().DecodeString(string(b))
	*v = validBase64(b)
	return err
}

func (v *pemBundle) UnmarshalText(b []byte) error {
	rest, err := base64.StdEncoding.DecodeString(string(b))
	if err != nil {
		return err
	}
	certificates := 0
	for block, rest := pem.Decode(rest); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return err
		}
		certificates++
	}
	if certificates == 0 {
		return fmt.Errorf("no certificate")
	}
	*v = pemBundle(b)
	return nil
}
