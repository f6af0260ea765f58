package migrate

import (
	"context"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
)

const kubeVIPImage = "ghcr.io/kube-vip/kube-vip"

var (
	kubeVIPManifest = regexp.MustCompile(`^/etc/kubernetes/manifests/kube-vip\.ya?ml$`)
	// kubeVIPCommand matches a command that only prepares the manifest of kube-vip.
	kubeVIPCommand = regexp.MustCompile(
		`(?s)^[^\n]*kube-vip[^\n]*\n?$|^.*sed -i.*admin\.conf.*manifests/kube-vip\.ya?ml.*$`)
)

// kubeVIP converts the manifest of kube-vip to spec.controlPlane.virtualIP. It reports whether the file is a part of
// kube-vip that the virtual IP replaces.
func (s *specs) kubeVIP(f field) bool {
	path := f.get("path").text()
	if kubeVIPManifest.MatchString(path) {
		return s.virtualIP(f)
	}
	if strings.Contains(path, "kube-vip") && s.hasVirtualIP() {
		f.report(Changed, "the file was removed; spec.controlPlane.virtualIP needs no preparation")
		return true
	}
	return false
}

// hasVirtualIP reports whether one of the files is a manifest of kube-vip that can be converted.
func (s *specs) hasVirtualIP() bool {
	if find(s.out, "controlPlane.virtualIP") != nil {
		return true
	}
	for _, f := range s.in.get("files").items() {
		if kubeVIPManifest.MatchString(f.get("path").text()) {
			settings := podOf(f)
			return settings != nil && settings["svc_enable"] != "true" && s.role == roleControlPlane
		}
	}
	return false
}

// podOf returns the settings of kube-vip in a manifest, or nil if it cannot be read.
func podOf(f field) map[string]string {
	documents, err := structured.YAML(context.Background(), []byte(f.get("content").text()))
	if err != nil || len(documents) != 1 || len(documents[0].Content) != 1 {
		return nil
	}
	containers := find(documents[0].Content[0], "spec.containers")
	if containers == nil || containers.Kind != yaml.SequenceNode || len(containers.Content) != 1 {
		return nil
	}
	settings := map[string]string{}
	if image := lookup(containers.Content[0], "image"); image != nil {
		settings["image"] = image.Value
	}
	env := lookup(containers.Content[0], "env")
	if env == nil {
		return nil
	}
	for _, e := range env.Content {
		if name, value := lookup(e, "name"), lookup(e, "value"); name != nil && value != nil {
			settings[name.Value] = value.Value
		}
	}
	if settings["address"] == "" {
		settings["address"] = settings["vip_address"]
	}
	if !canBeAddress(settings["address"]) {
		return nil
	}
	return settings
}

// canBeAddress reports whether the text is an address, or contains a variable. A command may replace any other text.
func canBeAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil || strings.Contains(s, "$") || wordOfVariable.MatchString(s)
}

// wordOfVariable matches the words in the places of variables of clusterctl and of expressions of a class.
var wordOfVariable = regexp.MustCompile(`(?:clusterctl-variable|class-expression)-\d+-`)

// knownSettings matches the settings of kube-vip that spec.controlPlane.virtualIP has or replaces.
var knownSettings = regexp.MustCompile(`^(?:image|address|port|cp_enable|cp_namespace|vip_(?:address|arp|interface|` +
	`cidr|subnet|nodename|loglevel|lease.*|leaderelection|renewdeadline|retryperiod|interfaceloglobal)|` +
	`prometheus_server|bgp_(?:enable|as|peers|peeraddress|peeras|routerinterface))$`)

// otherSettings returns the names of settings of kube-vip that the virtual IP does not have.
func otherSettings(settings map[string]string) []string {
	var names []string
	for name, value := range settings {
		feature, _, _ := strings.Cut(name, "_")
		enabled, optional := settings[feature+"_enable"]
		off := value == "" || value == "false" || optional && enabled == "false"
		if !off && !knownSettings.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *specs) virtualIP(f field) bool {
	settings := podOf(f)
	if settings == nil || s.role != roleControlPlane {
		f.add(f, Decision, "kube-vip could not be converted; set spec.controlPlane.virtualIP, or check its scripts")
		return false
	}
	if settings["svc_enable"] == "true" {
		f.add(f, Note, "the manifest was copied, because kube-vip announces Services of the type LoadBalancer, too; "+
			"spec.controlPlane.virtualIP announces the address of the API server only")
		return false
	}
	out := put(mapping(), "address", text(settings["address"]))
	announcing := "vip_interface"
	if settings["bgp_enable"] == "true" {
		// The address is that of the loopback interface. The other one has the router ID.
		announcing = "bgp_routerinterface"
	}
	if name := strings.TrimSpace(settings[announcing]); name != "" {
		put(out, "interface", text(name))
	}
	s.bgp(f, settings, out)
	if image := settings["image"]; image != "" && !strings.HasPrefix(image, kubeVIPImage+":") {
		put(out, "image", text(image))
		f.add(f, Decision, "the image %s must be a version of kube-vip that the virtual IP supports; check its tag", image)
	}
	if others := otherSettings(settings); len(others) > 0 {
		f.add(f, Decision, "spec.controlPlane.virtualIP has no counterpart of %s; copy the file in its place if you need "+
			"them",
			strings.Join(others, ", "))
	}
	set(s.out, "controlPlane.virtualIP", out)
	f.report(Changed, virtualIPInstead)
	return true
}

// bgp converts the announcement to routers: documentation of kube-vip 0.9, "Environment variables".
func (s *specs) bgp(f field, settings map[string]string, out *node) {
	if settings["bgp_enable"] != "true" {
		return
	}
	bgp := put(mapping(), "asn", number(settings["bgp_as"]))
	peers := settings["bgp_peers"]
	if address := settings["bgp_peeraddress"]; peers == "" && address != "" {
		peers = net.JoinHostPort(address, settings["bgp_peeras"])
	}
	for i, peer := range strings.Split(peers, ",") {
		if peer = strings.TrimSpace(peer); peer != "" {
			s.bgpPeer(f, i, peer, bgp)
		}
	}
	put(out, "bgp", bgp)
}

// bgpPeer converts a router in the form address:asn:password:multihop/options.
func (s *specs) bgpPeer(f field, index int, peer string, bgp *node) {
	peer, options, _ := strings.Cut(peer, "/")
	address, part := splitPeer(peer)
	if address == "" || len(part) == 0 || part[0] == "" {
		f.add(f, Decision, "router %d of bgp_peers has no address or no number of its autonomous system; set bgp.peers by "+
			"hand", index)
		return
	}
	extend(bgp, "peers", put(put(mapping(), "address", text(address)), "asn", number(part[0])))
	if len(part) > 1 && part[1] != "" {
		f.add(f, NoCounterpart, "a router has no password here; remove it from the router")
	}
	if len(part) > 2 && strings.TrimSpace(part[2]) != "false" && part[2] != "" {
		f.add(f, NoCounterpart, "routers are neighbors here, without multihop; check the router %s", address)
	}
	if options != "" {
		f.add(f, NoCounterpart, "a router has no options of MP-BGP here; check the router %s", address)
	}
}

// splitPeer returns the address of a router, and the fields after it. An IPv6 address is in brackets. The address is
// empty if its bracket is not closed.
func splitPeer(peer string) (address string, fields []string) {
	address, rest, found := strings.Cut(peer, ":")
	if inner, bracket := strings.CutPrefix(peer, "["); bracket {
		address, rest, found = strings.Cut(inner, "]")
		if !found {
			return "", nil
		}
		rest, found = strings.CutPrefix(rest, ":")
	}
	if !found {
		return address, nil
	}
	return address, strings.Split(rest, ":")
}

// number returns a number, or a variable of clusterctl in its place.
func number(s string) *node { return &node{Kind: yaml.ScalarNode, Value: s} }

// virtualIPCommand consumes a command that prepares kube-vip, if the virtual IP replaces it.
func (s *specs) virtualIPCommand(item field) bool {
	if find(s.out, "controlPlane.virtualIP") == nil || !kubeVIPCommand.MatchString(item.text()) {
		return false
	}
	item.add(item, Changed, "the command was removed; spec.controlPlane.virtualIP needs no preparation")
	return true
}
