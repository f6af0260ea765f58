package facts_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/nightly"
)

// facts returns what is known of the six facts; an empty one is not known.
func facts(hostname, private, public, instance, region, zone string) factSet {
	known := factSet{
		document.FactHostname: hostname, document.FactPrivateIPv4: private, document.FactPublicIPv4: public,
		document.FactInstanceID: instance, document.FactRegion: region, document.FactZone: zone,
	}
	maps.DeleteFunc(known, func(_ document.Fact, value string) bool { return value == "" })
	return known
}

// own are the machine's name and address where the platform does not provide them. The address is the first, though it
// is not a private one.
const (
	ownName    = "kernels-name"
	ownAddress = "198.51.100.7"
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
			facts("ip-10-0-0-1.ec2.internal", "10.0.0.1", "203.0.113.1", "i-1", "us-east-1", "us-east-1a"),
		},
		"ec2": {
			"Flatcar's name of AWS has a digit", "flatcar",
			"COREOS_EC2_HOSTNAME=ip-10-0-0-1.ec2.internal\nCOREOS_EC2_IPV4_LOCAL=10.0.0.1\nCOREOS_EC2_INSTANCE_ID=i-1\n" +
				"COREOS_EC2_REGION=us-east-1\nCOREOS_EC2_AVAILABILITY_ZONE=us-east-1a\n",
			facts("ip-10-0-0-1.ec2.internal", "10.0.0.1", "", "i-1", "us-east-1", "us-east-1a"),
		},
		"gcp": {
			"", "rhcos",
			"AFTERBURN_GCP_HOSTNAME=a.c.p.internal\nAFTERBURN_GCP_IP_EXTERNAL_0=203.0.113.1\n" +
				"AFTERBURN_GCP_IP_LOCAL_0=10.0.0.1\n", facts("a.c.p.internal", "10.0.0.1", "203.0.113.1", "", "", ""),
		},
		"azure": {
			"it does not provide the name", "flatcar",
			"COREOS_AZURE_IPV4_VIRTUAL=203.0.113.1\nCOREOS_AZURE_IPV4_DYNAMIC=10.0.0.1\n",
			facts(ownName, "10.0.0.1", "203.0.113.1", "", "", ""),
		},
		"aliyun": {
			"an elastic address takes the place of the public one, which is empty", "flatcar",
			"COREOS_ALIYUN_HOSTNAME=a\nCOREOS_ALIYUN_IPV4_PUBLIC=\nCOREOS_ALIYUN_EIPV4=203.0.113.1\n" +
				"COREOS_ALIYUN_IPV4_PRIVATE=10.0.0.1\n" +
				"COREOS_ALIYUN_INSTANCE_ID=i-1\nCOREOS_ALIYUN_REGION_ID=cn-1\nCOREOS_ALIYUN_ZONE_ID=cn-1a\n" +
				"COREOS_ALIYUN_VPC_ID=v\n",
			facts("a", "10.0.0.1", "203.0.113.1", "i-1", "cn-1", "cn-1a"),
		},
		"cloudstack": {
			"the name counts before the local name", "fedora-coreos",
			"AFTERBURN_CLOUDSTACK_PUBLIC_HOSTNAME=p\nAFTERBURN_CLOUDSTACK_LOCAL_HOSTNAME=l\nAFTERBURN_CLOUDSTACK_HOSTNAME=h\n" +
				"AFTERBURN_CLOUDSTACK_IPV4_LOCAL=10.0.0.1\nAFTERBURN_CLOUDSTACK_IPV4_PUBLIC=203.0.113.1\n" +
				"AFTERBURN_CLOUDSTACK_INSTANCE_ID=1\nAFTERBURN_CLOUDSTACK_AVAILABILITY_ZONE=z\n",
			facts("h", "10.0.0.1", "203.0.113.1", "1", "", "z"),
		},
		"exoscale": {
			"", "flatcar",
			"COREOS_EXOSCALE_LOCAL_HOSTNAME=l\nCOREOS_EXOSCALE_LOCAL_IPV4=10.0.0.1\n" +
				"COREOS_EXOSCALE_PUBLIC_IPV4=203.0.113.1\nCOREOS_EXOSCALE_INSTANCE_ID=1\nCOREOS_EXOSCALE_AVAILABILITY_ZONE=z\n",
			facts("l", "10.0.0.1", "203.0.113.1", "1", "", "z"),
		},
		"hetzner": {
			"", "flatcar",
			"COREOS_HETZNER_HOSTNAME=h\nCOREOS_HETZNER_PRIVATE_IPV4_0=10.0.0.1\nCOREOS_HETZNER_PUBLIC_IPV4=203.0.113.1\n" +
				"COREOS_HETZNER_INSTANCE_ID=1\nCOREOS_HETZNER_REGION=eu\nCOREOS_HETZNER_AVAILABILITY_ZONE=eu-1\n",
			facts("h", "10.0.0.1", "203.0.113.1", "1", "eu", "eu-1"),
		},
		"packet": {
			"gateways are no addresses of the machine", "flatcar",
			"COREOS_PACKET_IPV4_PRIVATE_GATEWAY_0=10.0.0.9\nCOREOS_PACKET_IPV4_PUBLIC_GATEWAY_0=203.0.113.9\n" +
				"COREOS_PACKET_IPV4_PRIVATE_0=10.0.0.1\nCOREOS_PACKET_IPV4_PUBLIC_0=203.0.113.1\nCOREOS_PACKET_HOSTNAME=h\n",
			facts("h", "10.0.0.1", "203.0.113.1", "", "", ""),
		},
		"akamai": {
			"", "fedora-coreos",
			"AFTERBURN_AKAMAI_INSTANCE_HOST_UUID=u\nAFTERBURN_AKAMAI_INSTANCE_ID=1\nAFTERBURN_AKAMAI_INSTANCE_REGION=eu\n" +
				"AFTERBURN_AKAMAI_PRIVATE_IPV4_0=10.0.0.1\nAFTERBURN_AKAMAI_PUBLIC_IPV4_0=203.0.113.1\n" +
				"AFTERBURN_AKAMAI_SHARED_IPV4_0=203.0.113.9\n",
			facts(ownName, "10.0.0.1", "203.0.113.1", "1", "eu", ""),
		},
		"classic": {
			"of IBM", "rhcos",
			"AFTERBURN_IBMCLOUD_CLASSIC_INSTANCE_ID=1\nAFTERBURN_IBMCLOUD_CLASSIC_LOCAL_HOSTNAME=l\n",
			facts("l", ownAddress, "", "1", "", ""),
		},
		"vultr": {
			"", "flatcar", "COREOS_VULTR_HOSTNAME=h\nCOREOS_VULTR_INSTANCE_ID=1\nCOREOS_VULTR_REGION_CODE=ams\n",
			facts("h", ownAddress, "", "1", "ams", ""),
		},
		"foreign": {
			"another prefix does not belong to the platform", "flatcar",
			"MY_AWS_HOSTNAME=h\nHOSTNAME=g\nX_COREOS_AWS_REGION=r\n",
			facts(ownName, ownAddress, "", "", "", ""),
		},
		"none": {"a platform that afterburn does not know", "flatcar", "", facts(ownName, ownAddress, "", "", "", "")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, "trixie")
			profile, _ := osprofile.Lookup(c.system)
			at := profile.Metadata.File
			h.put(t, at, c.file)
			both(t, h, osprofile.Target{Profile: profile}, "set -a;. "+at+";", c.reason, c.want)
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
			facts("ip-10-0-0-1.ec2.internal", "10.0.0.1", "203.0.113.1", "i-1", "us-east-1", "us-east-1a"),
		},
		"OpenStack": {
			"its addresses are in the copy of EC2's data; an empty value is none",
			`{"v1":{"cloud_name":"openstack","local_hostname":"node-1","instance_id":"u-1","region":null,
			"availability_zone":"nova"},
			"ds":{"meta_data":{"uuid":"u-1","local_hostname":"node-1.novalocal"},
			"ec2_metadata":{"local-ipv4":"10.0.0.1","public-ipv4":""}}}`,
			facts("node-1", "10.0.0.1", "", "u-1", "", "nova"),
		},
		"NoCloud": {
			"there is no address; the fact is absent",
			`{"v1":{"cloud_name":"nocloud","local_hostname":"node-1","instance_id":17,"region":"None",` +
				`"availability_zone":null},"ds":{"meta_data":{"private_ipv4":null}}}`,
			facts("node-1", ownAddress, "", "17", "", ""),
		},
		"unnamed": {
			"cloud-init names every machine",
			`{"v1":{"cloud_name":"aws","instance_id":"i"},"ds":{"meta_data":{"private-ipv4":"10.0.0.1"}}}`,
			facts("", "10.0.0.1", "", "i", "", ""),
		},
	}
	suites := []string{"bookworm", "trixie"}
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		for _, suite := range nightly.Or(suites, suites[i%2:][:1]) {
			t.Run(suite+"/"+name, func(t *testing.T) {
				h := newHost(t, suite)
				h.put(t, "/run/cloud-init/instance-data.json", c.data)
				// cloud-init answers nothing without these, which it makes before the data.
				h.put(t, "/run/cloud-init/instance-data-sensitive.json", c.data)
				h.put(t, "/var/lib/cloud/instance/user-data.txt", "")
				h.put(t, "/var/lib/cloud/instance/vendor-data.txt", "")
				profile, _ := osprofile.Lookup("debian")
				both(t, h, osprofile.Target{Profile: profile}, "", c.reason, c.want)
			})
		}
	}
}

// both compares what is wanted with what the agent and the format's program find out.
func both(t *testing.T, h host, target osprofile.Target, prelude, reason string, want factSet) {
	t.Helper()
	if diff := cmp.Diff(want, h.byAgent(t)); diff != "" {
		t.Errorf("by the agent, %s: %s", reason, diff)
	}
	if diff := cmp.Diff(want, h.byProgram(t, target, prelude)); diff != "" {
		t.Errorf("by the program, %s: %s", reason, diff)
	}
}
