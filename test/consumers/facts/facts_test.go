package facts_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/nightly"
)

// known returns what is known of the facts; an empty one is not known. A host name of two labels or more is the FQDN,
// and its first label is the short host name; the system's IPv6 address is always known.
func known(hostname, private, public, instance, region, zone string) factSet {
	short, _, qualified := strings.Cut(hostname, ".")
	set := factSet{
		document.FactShortHostname: short, document.FactIPv6: ownIPv6,
		document.FactHostname: hostname, document.FactPrivateIPv4: private, document.FactPublicIPv4: public,
		document.FactInstanceID: instance, document.FactRegion: region, document.FactZone: zone,
	}
	if qualified {
		set[document.FactFQDN] = hostname
	}
	maps.DeleteFunc(set, func(_ document.Fact, value string) bool { return value == "" })
	return set
}

// named returns the facts with other host names: that of the cloud provider, and the full one.
func named(set factSet, hostname, fqdn string) factSet {
	set[document.FactHostname], set[document.FactFQDN] = hostname, fqdn
	return set
}

// with returns the facts with another one.
func with(set factSet, f document.Fact, value string) factSet {
	set[f] = value
	return set
}

// own are the machine's name and addresses where the platform does not provide them. The address is the first, though
// it is not a private one.
const (
	ownName    = "kernels-name"
	ownAddress = "198.51.100.7"
	ownIPv6    = "2001:db8::7"
)

// TestMetadataFiles has the environment files that afterburn writes on the platforms that it knows, for Ignition and
// for the agent.
func TestMetadataFiles(t *testing.T) {
	cases := map[string]struct {
		reason, system, file string
		want                 factSet
	}{
		"aws": {
			"the public names are others", "fedora-coreos",
			"AFTERBURN_AWS_PUBLIC_HOSTNAME=ec2-1.example\nAFTERBURN_AWS_HOSTNAME=ip-10-0-0-1.ec2.internal\n" +
				"AFTERBURN_AWS_IPV4_LOCAL=10.0.0.1\n" +
				"AFTERBURN_AWS_IPV4_PUBLIC=203.0.113.1\nAFTERBURN_AWS_INSTANCE_ID=i-1\nAFTERBURN_AWS_REGION=us-east-1\n" +
				"AFTERBURN_AWS_AVAILABILITY_ZONE_ID=use1-az1\nAFTERBURN_AWS_AVAILABILITY_ZONE=us-east-1a\n" +
				"AFTERBURN_AWS_INSTANCE_TYPE=m1\n",
			known("ip-10-0-0-1.ec2.internal", "10.0.0.1", "203.0.113.1", "i-1", "us-east-1", "us-east-1a"),
		},
		"ec2": {
			"Flatcar's name of AWS has a digit", "flatcar",
			"COREOS_EC2_HOSTNAME=ip-10-0-0-1.ec2.internal\nCOREOS_EC2_IPV4_LOCAL=10.0.0.1\nCOREOS_EC2_INSTANCE_ID=i-1\n" +
				"COREOS_EC2_REGION=us-east-1\nCOREOS_EC2_AVAILABILITY_ZONE=us-east-1a\n",
			known("ip-10-0-0-1.ec2.internal", "10.0.0.1", "", "i-1", "us-east-1", "us-east-1a"),
		},
		"gcp": {
			"the name of the node is that of the instance, as with cloud-init", "rhcos",
			"AFTERBURN_GCP_HOSTNAME=a.c.p.internal\nAFTERBURN_GCP_IP_EXTERNAL_0=203.0.113.1\n" +
				"AFTERBURN_GCP_IP_LOCAL_0=10.0.0.1\n",
			named(known("a", "10.0.0.1", "203.0.113.1", "", "", ""), "a", "a.c.p.internal"),
		},
		"azure": {
			"it does not provide the name", "flatcar",
			"COREOS_AZURE_IPV4_VIRTUAL=203.0.113.1\nCOREOS_AZURE_IPV4_DYNAMIC=10.0.0.1\n",
			known(ownName, "10.0.0.1", "203.0.113.1", "", "", ""),
		},
		"aliyun": {
			"an elastic address takes the place of the public one, which is empty", "flatcar",
			"COREOS_ALIYUN_HOSTNAME=a\nCOREOS_ALIYUN_IPV4_PUBLIC=\nCOREOS_ALIYUN_EIPV4=203.0.113.1\n" +
				"COREOS_ALIYUN_IPV4_PRIVATE=10.0.0.1\n" +
				"COREOS_ALIYUN_INSTANCE_ID=i-1\nCOREOS_ALIYUN_REGION_ID=cn-1\nCOREOS_ALIYUN_ZONE_ID=cn-1a\n" +
				"COREOS_ALIYUN_VPC_ID=v\n",
			known("a", "10.0.0.1", "203.0.113.1", "i-1", "cn-1", "cn-1a"),
		},
		"cloudstack": {
			"the name counts before the local name", "fedora-coreos",
			"AFTERBURN_CLOUDSTACK_PUBLIC_HOSTNAME=p\nAFTERBURN_CLOUDSTACK_LOCAL_HOSTNAME=l\nAFTERBURN_CLOUDSTACK_HOSTNAME=h\n" +
				"AFTERBURN_CLOUDSTACK_IPV4_LOCAL=10.0.0.1\nAFTERBURN_CLOUDSTACK_IPV4_PUBLIC=203.0.113.1\n" +
				"AFTERBURN_CLOUDSTACK_INSTANCE_ID=1\nAFTERBURN_CLOUDSTACK_AVAILABILITY_ZONE=z\n",
			known("h", "10.0.0.1", "203.0.113.1", "1", "", "z"),
		},
		"exoscale": {
			"", "flatcar",
			"COREOS_EXOSCALE_LOCAL_HOSTNAME=l\nCOREOS_EXOSCALE_LOCAL_IPV4=10.0.0.1\n" +
				"COREOS_EXOSCALE_PUBLIC_IPV4=203.0.113.1\nCOREOS_EXOSCALE_INSTANCE_ID=1\nCOREOS_EXOSCALE_AVAILABILITY_ZONE=z\n",
			known("l", "10.0.0.1", "203.0.113.1", "1", "", "z"),
		},
		"hetzner": {
			"", "flatcar",
			"COREOS_HETZNER_HOSTNAME=h\nCOREOS_HETZNER_PRIVATE_IPV4_0=10.0.0.1\nCOREOS_HETZNER_PUBLIC_IPV4=203.0.113.1\n" +
				"COREOS_HETZNER_INSTANCE_ID=1\nCOREOS_HETZNER_REGION=eu\nCOREOS_HETZNER_AVAILABILITY_ZONE=eu-1\n",
			known("h", "10.0.0.1", "203.0.113.1", "1", "eu", "eu-1"),
		},
		"packet": {
			"gateways are no addresses of the machine", "flatcar",
			"COREOS_PACKET_IPV4_PRIVATE_GATEWAY_0=10.0.0.9\nCOREOS_PACKET_IPV4_PUBLIC_GATEWAY_0=203.0.113.9\n" +
				"COREOS_PACKET_IPV4_PRIVATE_0=10.0.0.1\nCOREOS_PACKET_IPV4_PUBLIC_0=203.0.113.1\nCOREOS_PACKET_HOSTNAME=h\n",
			known("h", "10.0.0.1", "203.0.113.1", "", "", ""),
		},
		"akamai": {
			"", "fedora-coreos",
			"AFTERBURN_AKAMAI_INSTANCE_HOST_UUID=u\nAFTERBURN_AKAMAI_INSTANCE_ID=1\nAFTERBURN_AKAMAI_INSTANCE_REGION=eu\n" +
				"AFTERBURN_AKAMAI_PRIVATE_IPV4_0=10.0.0.1/17\nAFTERBURN_AKAMAI_PUBLIC_IPV4_0=203.0.113.1/32\n" +
				"AFTERBURN_AKAMAI_SHARED_IPV4_0=203.0.113.9\n",
			known(ownName, "10.0.0.1", "203.0.113.1", "1", "eu", ""),
		},
		"classic": {
			"of IBM", "rhcos",
			"AFTERBURN_IBMCLOUD_CLASSIC_INSTANCE_ID=1\nAFTERBURN_IBMCLOUD_CLASSIC_LOCAL_HOSTNAME=l\n",
			known("l", ownAddress, "", "1", "", ""),
		},
		"vultr": {
			"the ID is not the UUID, and cloud-init's region is a country", "flatcar",
			"COREOS_VULTR_HOSTNAME=h\nCOREOS_VULTR_INSTANCE_ID=1\nCOREOS_VULTR_REGION_CODE=AMS\n",
			known("h", ownAddress, "", "", "", ""),
		},
		"scaleway": {
			"the zone is not that of the API, such as fr-par-1", "fedora-coreos",
			"AFTERBURN_SCALEWAY_HOSTNAME=h\nAFTERBURN_SCALEWAY_INSTANCE_ID=1\nAFTERBURN_SCALEWAY_ZONE_ID=par1\n" +
				"AFTERBURN_SCALEWAY_IPV4_PRIVATE=10.0.0.1\n",
			known("h", "10.0.0.1", "", "1", "", ""),
		},
		"openstack": {
			"the instance ID is the UUID, as with cloud-init", "flatcar",
			"COREOS_OPENSTACK_HOSTNAME=node-1.novalocal\nCOREOS_OPENSTACK_INSTANCE_ID=i-1\n" +
				"COREOS_OPENSTACK_INSTANCE_UUID=u-1\nCOREOS_OPENSTACK_IPV4_LOCAL=10.0.0.1\n",
			with(named(known("node-1", "10.0.0.1", "", "u-1", "", ""), "node-1", "node-1.novalocal"), metadataUUID, "u-1"),
		},
		"old openstack": {
			"before afterburn 5.5.0 there is no UUID, and the other ID is another value", "flatcar",
			"COREOS_OPENSTACK_HOSTNAME=node-1\nCOREOS_OPENSTACK_INSTANCE_ID=i-1\n",
			known("node-1", ownAddress, "", "", "", ""),
		},
		"oci": {
			"cloud-init has another name of the availability domain", "fedora-coreos",
			"AFTERBURN_ORACLECLOUD_AVAILABILITY_DOMAIN=EMIr:PHX-AD-1\nAFTERBURN_ORACLECLOUD_REGION_ID=us-phoenix-1\n" +
				"AFTERBURN_ORACLECLOUD_INSTANCE_ID=ocid1.instance.oc1.phx.x\n",
			known(ownName, ownAddress, "", "ocid1.instance.oc1.phx.x", "us-phoenix-1", ""),
		},
		"proxmox": {
			"", "fedora-coreos", "AFTERBURN_PROXMOXVE_HOSTNAME=h\nAFTERBURN_PROXMOXVE_INSTANCE_ID=1\n" +
				"AFTERBURN_PROXMOXVE_IPV4=10.0.0.1\nAFTERBURN_PROXMOXVE_IPV6=2001:db8::1\n",
			known("h", "10.0.0.1", "", "1", "", ""),
		},
		"quoted": {
			"a value may be in quotes", "flatcar", "COREOS_CUSTOM_HOSTNAME=\"h\"\n", known("h", ownAddress, "", "", "", ""),
		},
		"hostile": {
			"the variables of the file are not those of the program", "flatcar",
			"LD_PRELOAD=/etc/evil.so\nPATH=/nowhere\nCOREOS_EC2_HOSTNAME=$(touch /pwned)\nCOREOS_EC2_INSTANCE_ID=i 1\n" +
				"COREOS_EC2_REGION=a\",\"b\nCOREOS_EC2_AVAILABILITY_ZONE=a,b=c\n",
			known("", ownAddress, "", "", "", ""),
		},
		"foreign": {
			"another prefix does not belong to the platform", "flatcar",
			"MY_AWS_HOSTNAME=h\nHOSTNAME=g\nX_COREOS_AWS_REGION=r\n",
			known(ownName, ownAddress, "", "", "", ""),
		},
		"two platforms": {
			"the first line counts, and a name that is preferred before it", "flatcar",
			"COREOS_EXOSCALE_HOSTNAME=\nCOREOS_EXOSCALE_LOCAL_HOSTNAME=l\nCOREOS_HETZNER_INSTANCE_ID=1\n" +
				"COREOS_EXOSCALE_INSTANCE_ID=2\nCOREOS_EXOSCALE_INSTANCE_ID=3\nCOREOS_HETZNER_HOSTNAME=h\n" +
				"COREOS_EC2_HOSTNAME=i.ec2.internal\nAFTERBURN_AWS_REGION=r\nCOREOS_EC2_REGION=s\n",
			named(known("h", ownAddress, "", "1", "s", ""), "h", "i.ec2.internal"),
		},
		"blanks": {
			"a blank is part of a value", "flatcar",
			" COREOS_EC2_REGION=r\nCOREOS_EC2_INSTANCE_ID=i \nCOREOS_EC2_AVAILABILITY_ZONE=\"z\"\r\n",
			known(ownName, ownAddress, "", "", "", ""),
		},
		"none": {"a platform that afterburn does not know", "flatcar", "", known(ownName, ownAddress, "", "", "", "")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, "trixie")
			profile, _ := osprofile.Lookup(c.system)
			at := profile.Metadata.File
			h.put(t, at, c.file)
			both(t, h, osprofile.Target{Profile: profile}, c.reason, c.want)
		})
	}
}

// TestInstanceData gives the real cloud-init and the agent the data that the data sources of cloud-init store. Each
// case runs with one version of cloud-init, and with both in a nightly run.
func TestInstanceData(t *testing.T) {
	cases := map[string]struct {
		reason, data string
		want         factSet
	}{
		"Ec2": {
			"AWS's provider finds nodes by the private DNS name; hyphens replace underscores",
			`{"v1":{"cloud_name":"aws","local_hostname":"ip-10-0-0-1","instance_id":"i-1",
			"region":"us-east-1","availability_zone":"us-east-1a"},
			"ds":{"meta_data":{"local-hostname":"ip-10-0-0-1.ec2.internal","local-ipv4":"10.0.0.1",
			"public-ipv4":"203.0.113.1"}}}`,
			known("ip-10-0-0-1.ec2.internal", "10.0.0.1", "203.0.113.1", "i-1", "us-east-1", "us-east-1a"),
		},
		"Outscale": {
			"a clone of EC2, whose provider finds nodes by the private DNS name, too",
			`{"v1":{"cloud_name":"outscale","local_hostname":"ip-10-0-0-1","instance_id":"i-1"},
			"ds":{"meta_data":{"local-hostname":"ip-10-0-0-1.eu-west-2.compute.internal"}}}`,
			known("ip-10-0-0-1.eu-west-2.compute.internal", ownAddress, "", "i-1", "", ""),
		},
		"OpenStack": {
			"its addresses are in the copy of EC2's data; an empty value is none",
			`{"v1":{"cloud_name":"openstack","local_hostname":"node-1","instance_id":"u-1","region":null,
			"availability_zone":"nova"},
			"ds":{"meta_data":{"uuid":"u-1","local_hostname":"node-1.novalocal"},
			"ec2_metadata":{"local-ipv4":"10.0.0.1","public-ipv4":""}}}`,
			with(named(known("node-1", "10.0.0.1", "", "u-1", "", "nova"), "node-1", "node-1.novalocal"), metadataUUID, "u-1"),
		},
		"NoCloud": {
			"there is no address; the fact is absent; numbers and booleans are texts",
			`{"v1":{"cloud_name":"nocloud","local_hostname":"node-1","instance_id":17,"region":"None",` +
				`"availability_zone":null},"ds":{"meta_data":{"private_ipv4":null,"uuid":true}}}`,
			with(known("node-1", ownAddress, "", "17", "", ""), metadataUUID, "true"),
		},
		"AliYun": {
			"its region and its zone are in its own keys", `{"v1":{"cloud_name":"aliyun","local_hostname":"node-1",
			"instance_id":"i-1","region":null,"availability_zone":null},
			"ds":{"meta_data":{"region-id":"cn-1","zone-id":"cn-1-h"}}}`,
			known("node-1", ownAddress, "", "i-1", "cn-1", "cn-1-h"),
		},
		"unnamed": {
			"cloud-init names every machine",
			`{"v1":{"cloud_name":"aws","instance_id":"i"},"ds":{"meta_data":{"private-ipv4":"10.0.0.1"}}}`,
			known("", "10.0.0.1", "", "i", "", ""),
		},
	}
	suites := []string{"bookworm", "trixie"}
	// Outscale is a clone of EC2.
	cases = nightly.Cases(t, cases, "AliYun", "Ec2", "NoCloud", "OpenStack", "unnamed")
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		for _, suite := range nightly.Or(suites, suites[i%2:][:1]) {
			t.Run(suite+"/"+name, func(t *testing.T) {
				h := newHost(t, suite)
				h.putInstanceData(t, c.data)
				profile, _ := osprofile.Lookup("debian")
				both(t, h, osprofile.Target{Profile: profile}, c.reason, c.want)
			})
		}
	}
}

// putInstanceData writes the files without which cloud-init answers nothing.
func (h host) putInstanceData(t *testing.T, data string) {
	t.Helper()
	h.put(t, "/run/cloud-init/instance-data.json", data)
	h.put(t, "/run/cloud-init/instance-data-sensitive.json", data)
	h.put(t, "/var/lib/cloud/instance/user-data.txt", "")
	h.put(t, "/var/lib/cloud/instance/vendor-data.txt", "")
}

// TestProviderFiles has the files that infrastructure providers write where afterburn does not know the platform.
func TestProviderFiles(t *testing.T) {
	cases := map[string]struct {
		file, content string
		want          factSet
	}{
		"Proxmox": {
			"/etc/proxmox-env", "COREOS_CUSTOM_HOSTNAME=h\nCOREOS_CUSTOM_INSTANCE_ID=u-1\n" +
				"COREOS_CUSTOM_PROVIDER_ID=proxmox://u-1\nCOREOS_CUSTOM_PRIVATE_IPV4=10.0.0.1",
			with(known("h", "10.0.0.1", "", "u-1", "", ""), metadataProviderID, "proxmox://u-1"),
		},
		"after the platform's": {
			"/run/metadata/coreos", "COREOS_CUSTOM_HOSTNAME=h\nCOREOS_CUSTOM_IPV4_PRIVATE=10.0.0.2\n" +
				"COREOS_CUSTOM_PRIVATE_IPV4=10.0.0.3\n",
			known("first", "10.0.0.2", "", "", "", ""),
		},
		"vSphere": {
			"/run/metadata/coreos", "COREOS_CUSTOM_HOSTNAME=h\nCOREOS_CUSTOM_IPV4=10.0.0.1\n",
			known("h", "10.0.0.1", "", "", "", ""),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, "trixie")
			profile, _ := osprofile.Lookup("flatcar")
			if name == "after the platform's" {
				h.put(t, profile.Metadata.File, "COREOS_EC2_HOSTNAME=first\nCOREOS_EC2_PRIVATE_IPV4=10.0.0.1\n")
			}
			h.put(t, c.file, c.content)
			both(t, h, osprofile.Target{Profile: profile}, name, c.want)
		})
	}
}

// both compares what is wanted with what the agent and the format's program find out.
func both(t *testing.T, h host, target osprofile.Target, reason string, want factSet) {
	t.Helper()
	if diff := cmp.Diff(want, h.byAgent(t)); diff != "" {
		t.Errorf("by the agent, %s: %s", reason, diff)
	}
	if diff := cmp.Diff(want, h.byProgram(t, target, want)); diff != "" {
		t.Errorf("by the program, %s: %s", reason, diff)
	}
}
