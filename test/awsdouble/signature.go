package awsdouble

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Credentials are what requests have to be signed with.
type Credentials struct{ ID, Secret string }

// verify checks the signature of version 4 (AWS General Reference, "Create a signed AWS API request"), computed here
// from the request that arrived and not by AWS's own library. It returns the region that the request was signed for.
func (c Credentials) verify(r *http.Request, body []byte, service string, now time.Time) (string, error) {
	fields, is := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !is {
		return "", errors.New("the request is not signed")
	}
	parts := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		parts[name] = value
	}
	scope := strings.Split(parts["Credential"], "/")
	date := r.Header.Get("X-Amz-Date")
	if len(scope) != 5 || scope[0] != c.ID || scope[3] != service || scope[4] != "aws4_request" ||
		!strings.HasPrefix(date, scope[1]) {
		return "", fmt.Errorf("the credential is %q", parts["Credential"])
	}
	if at, err := time.Parse("20060102T150405Z", date); err != nil || now.Sub(at).Abs() > 5*time.Minute {
		return "", fmt.Errorf("the request was signed at %q", date)
	}
	names := strings.Split(parts["SignedHeaders"], ";")
	for _, needed := range []string{"host", "x-amz-date", "x-amz-target", "content-type"} {
		if !slices.Contains(names, needed) {
			return "", fmt.Errorf("the header %s is not signed", needed)
		}
	}
	signed := strings.Join([]string{
		"AWS4-HMAC-SHA256", date, strings.Join(scope[1:], "/"),
		digest([]byte(canonical(r, names, body))),
	}, "\n")
	key := []byte("AWS4" + c.Secret)
	for _, part := range scope[1:] {
		key = mac(key, part)
	}
	if want := hex.EncodeToString(mac(key, signed)); !hmac.Equal([]byte(want), []byte(parts["Signature"])) {
		return "", errors.New("the signature is another one")
	}
	return scope[2], nil
}

// canonical returns the canonical request, whose path here is always the root.
func canonical(r *http.Request, names []string, body []byte) string {
	lines := []string{r.Method, "/", r.URL.RawQuery}
	for _, name := range names {
		value := strings.Join(r.Header.Values(name), ",")
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = fmt.Sprint(r.ContentLength)
		}
		lines = append(lines, name+":"+strings.Join(strings.Fields(value), " "))
	}
	return strings.Join(append(lines, "", strings.Join(names, ";"), digest(body)), "\n")
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
