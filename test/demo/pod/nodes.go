//go:build linux

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"
)

// accountDirectory contains the credentials of a Pod's ServiceAccount.
const accountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount/"

// watchSeconds limits a watch, so that a lost connection delays no change for longer.
const watchSeconds = "30"

// cluster is the API server, of which this program reads the Nodes only. A Kubernetes client would be ten times as
// large as the rest of the program.
type cluster struct {
	url    string
	client *http.Client
}

func inCluster(host, port string) (*cluster, error) {
	ca, err := os.ReadFile(accountDirectory + "ca.crt")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return &cluster{
		url: "https://" + net.JoinHostPort(host, port) + "/api/v1/nodes",
		client: &http.Client{
			Timeout:   time.Minute,
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}},
		},
	}, nil
}

// node contains the fields of a Node that this program reads.
type node struct {
	Metadata struct{ Name string }
	Spec     struct{ PodCIDR string }
	Status   struct {
		Addresses []struct{ Type, Address string }
	}
}

// pods returns the subnet of the node's Pods, and whether it has one.
func (n *node) pods() (netip.Prefix, bool) {
	subnet, err := netip.ParsePrefix(n.Spec.PodCIDR)
	return subnet, err == nil
}

// address returns the address at which other nodes reach the node, and whether it has one.
func (n *node) address() (netip.Addr, bool) {
	for _, a := range n.Status.Addresses {
		if address, err := netip.ParseAddr(a.Address); err == nil && a.Type == "InternalIP" {
			return address, true
		}
	}
	return netip.Addr{}, false
}

type nodeList struct {
	Metadata struct{ ResourceVersion string }
	Items    []node
}

// list returns all Nodes.
func (c *cluster) list(ctx context.Context) (*nodeList, error) {
	list := &nodeList{}
	return list, c.get(ctx, nil, list)
}

// wait waits until a Node changes after the list was read, for at most watchSeconds.
func (c *cluster) wait(ctx context.Context, list *nodeList) error {
	query := url.Values{
		"watch": {"true"}, "resourceVersion": {list.Metadata.ResourceVersion}, "timeoutSeconds": {watchSeconds},
	}
	return c.get(ctx, query, &struct{}{})
}

// get decodes the first JSON value of the response.
func (c *cluster) get(ctx context.Context, query url.Values, to any) error {
	// The kubelet replaces the token before it expires.
	token, err := os.ReadFile(accountDirectory + "token")
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+string(token))
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("read the Nodes: %s", response.Status)
	}
	return json.NewDecoder(response.Body).Decode(to)
}
