package s3

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ErrURI means that a URI does not name an object.
var ErrURI = errors.New("not a URI of an object; it has the form s3://<bucket>/<key>")

// Object is a parsed URI of an object.
//
//	s3://<bucket>/<key>[?<name>=<value>[&<name>=<value>]...]
//
// The key is percent-encoded as in a URL. The names are region, endpoint, versionId and pathStyle. The proposal writes
// s3://us-west-2.cluster-api.contoso.com/bootstrap/test-cluster-machine-ufjdhad.yaml.
type Object struct {
	Bucket, Key                 string
	Region, Endpoint, VersionID string
	PathStyle                   bool
}

// Parse parses the URI. The error does not contain the URI.
func Parse(uri string) (Object, error) {
	rest, is := strings.CutPrefix(uri, "s3://")
	rest, query, _ := strings.Cut(rest, "?")
	bucket, path, found := strings.Cut(rest, "/")
	key, err := url.PathUnescape(path)
	if !is || !found || err != nil || key == "" || strings.Trim(bucket, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" ||
		bucket == "" {
		return Object{}, ErrURI
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return Object{}, ErrURI
	}
	o := Object{Bucket: bucket, Key: key}
	for name := range values {
		value := values.Get(name)
		switch name {
		case "region":
			o.Region = value
		case "endpoint":
			o.Endpoint = value
		case "versionId":
			o.VersionID = value
		case "pathStyle":
			o.PathStyle = value == "true"
		default:
			return Object{}, fmt.Errorf("%w, and %q is no option of it", ErrURI, name)
		}
	}
	return o, nil
}

// ReadSettings parses an environment file in the format of systemd: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL and AWS_S3_PATH_STYLE=true. It ignores other names and comments.
func ReadSettings(text string) Settings {
	var s Settings
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		name, value, found := strings.Cut(strings.TrimSpace(lines.Text()), "=")
		value = strings.Trim(value, `"'`)
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		switch strings.TrimPrefix(name, "export ") {
		case "AWS_ACCESS_KEY_ID":
			s.AccessKeyID = value
		case "AWS_SECRET_ACCESS_KEY":
			s.SecretAccessKey = value
		case "AWS_SESSION_TOKEN":
			s.SessionToken = value
		case "AWS_REGION":
			s.Region = value
		case "AWS_ENDPOINT_URL":
			s.Endpoint = value
		case "AWS_S3_PATH_STYLE":
			s.PathStyle = value == "true"
		}
	}
	return s
}
