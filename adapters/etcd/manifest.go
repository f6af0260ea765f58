package etcd

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	"sigs.k8s.io/yaml"
)

// clientPort is where a member of kubeadm's serves clients.
const clientPort = "2379"

// server contains the flags of the static pod's etcd (https://etcd.io/docs/v3.6/op-guide/configuration/).
type server struct {
	// peers and clients are the URLs by which others reach the member, and clients do.
	peers, clients []string
	// cluster is the list of all members that the member joined with: name=URL of a peer, each.
	cluster []string
	// data is the directory of its data.
	data string
	// tls are the files of its own certificate, by which it is a client, too, and of the authority that clients trust;
	// none is without TLS.
	tls transport.TLSInfo
}

// pod is as much of a Pod as it takes.
type pod struct {
	Spec struct {
		Containers []struct{ Command, Args []string }
	}
}

// read reads the manifest of the static pod.
func read(manifest []byte) (server, error) {
	var p pod
	if err := yaml.Unmarshal(manifest, &p); err != nil {
		return server{}, fmt.Errorf("no Pod: %w", err)
	}
	flags := map[string]string{}
	for _, c := range p.Spec.Containers {
		for _, word := range slices.Concat(c.Command, c.Args) {
			name, value, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
			flags[name] = value
		}
	}
	list := func(flag string) []string {
		return slices.DeleteFunc(strings.Split(flags[flag], ","), func(s string) bool { return s == "" })
	}
	s := server{
		peers: list("initial-advertise-peer-urls"), clients: list("advertise-client-urls"), cluster: list("initial-cluster"),
		data: flags["data-dir"],
		tls: transport.TLSInfo{
			CertFile: flags["cert-file"], KeyFile: flags["key-file"],
			TrustedCAFile: flags["trusted-ca-file"],
		},
	}
	if len(s.peers) == 0 || len(s.clients) == 0 || s.data == "" {
		return server{}, errors.New("the Pod does not set etcd's --initial-advertise-peer-urls, " +
			"--advertise-client-urls and --data-dir")
	}
	return s, nil
}

// ran reports whether the member ever ran. What kubeadm announced and never started is its own to take back.
func (s server) ran() (bool, error) {
	_, err := os.Stat(filepath.Join(s.data, "member"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// known returns the client addresses of the members: its own; those of the list that it joined with, at kubeadm's port;
// and those that an earlier attempt found. The member itself may be down, a learner, which does not answer, or already
// removed.
func (s server) known() []string {
	urls := slices.Clone(s.clients)
	for _, named := range s.cluster {
		_, peer, _ := strings.Cut(named, "=")
		u, err := url.Parse(peer)
		if err != nil || slices.Contains(s.peers, peer) {
			continue
		}
		u.Host = net.JoinHostPort(u.Hostname(), clientPort)
		urls = append(urls, u.String())
	}
	noted, _ := os.ReadFile(s.note())
	return append(urls, strings.Fields(string(noted))...)
}

// note is the file that lists the remaining members, in the data directory, which kubeadm removes. A removed member
// ends and learns nothing more, so a retry has to know which members to ask.
func (s server) note() string { return filepath.Join(s.data, "machineadm-members") }
