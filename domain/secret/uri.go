package secret

import "strings"

// PublicURI returns a URI without the parts that may contain credentials: user, password, query and fragment. It
// accepts texts that are not valid URIs.
func PublicURI(uri string) string {
	public, _, _ := strings.Cut(uri, "#")
	public, _, _ = strings.Cut(public, "?")
	scheme, rest, found := strings.Cut(public, "://")
	if !found {
		return public
	}
	host, path, slash := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if slash {
		path = "/" + path
	}
	return scheme + "://" + host + path
}
