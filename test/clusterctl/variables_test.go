package clusterctl_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/programs"
)

// templatesPage is the page about the templates, and the lines before and after its generated parts.
const (
	templatesPage   = "docs/templates.md"
	providersHeader = "| template | system | schemas | checked |\n|---|---|---|---|\n"
	variantsHeader  = "## Variants\n"
	variablesHeader = "| variable | templates | meaning | default |\n|---|---|---|---|\n"
)

// variable is a variable of the templates of providers: its meaning, and a value for tests if it is required.
type variable struct{ name, meaning, example string }

func providerVariables() []variable {
	return []variable{
		{"ALLOWED_NODES", "the nodes of Proxmox VE that can run machines, as a YAML list; empty allows all", ""},
		{"AWS_CONTROL_PLANE_MACHINE_TYPE", "the instance type of the control plane", ""},
		{"AWS_NODE_MACHINE_TYPE", "the instance type of the workers", ""},
		{"AWS_POOL_MAX_SIZE", "the largest number of workers of the pool", ""},
		{"AWS_POOL_MIN_SIZE", "the smallest number of workers of the pool", ""},
		{"AWS_REGION", "the region", "eu-west-1"},
		{"AWS_ROOT_VOLUME_SIZE", "the size of the root volumes in GiB", ""},
		{"AZURE_CLIENT_ID", "the client ID of the identity", "00000000-0000-0000-0000-000000000001"},
		{"AZURE_CONTROL_PLANE_MACHINE_TYPE", "the size of the control plane machines", ""},
		{"AZURE_LOCATION", "the location", "westeurope"},
		{"AZURE_NODE_MACHINE_TYPE", "the size of the workers", ""},
		{"AZURE_RESOURCE_GROUP", "the resource group, which the provider creates", ""},
		{"AZURE_SUBSCRIPTION_ID", "the subscription", "00000000-0000-0000-0000-000000000002"},
		{"AZURE_TENANT_ID", "the tenant of the identity", "00000000-0000-0000-0000-000000000003"},
		{"AZURE_VNET_NAME", "the virtual network, which the provider creates", ""},
		{"BOOT_VOLUME_DEVICE", "the disk of the virtual machine template", ""},
		{"BOOT_VOLUME_SIZE", "the size of this disk in GiB", ""},
		{"BRIDGE", "the bridge of the machines' network", ""},
		{"CLUSTER_IDENTITY_NAME", "the name of the AzureClusterIdentity", ""},
		{"CLUSTER_IDENTITY_TYPE", "its type: WorkloadIdentity, ServicePrincipal or UserAssignedMSI", ""},
		{"CONTROL_PLANE_CORES", "the CPU cores of a control plane machine", ""},
		{
			"CONTROL_PLANE_ENDPOINT_IP", "an unused address of the machines' network, which becomes the virtual IP",
			"192.0.2.10",
		},
		{"CONTROL_PLANE_MEMORY", "the memory of a control plane machine", ""},
		{"CONTROL_PLANE_MEMORY_MIB", "the memory of a control plane machine in MiB", ""},
		{"DNS_SERVERS", "the DNS servers, as a YAML list", "[192.0.2.1]"},
		{"GATEWAY", "the default gateway", "192.0.2.1"},
		{"GCP_CONTROL_PLANE_MACHINE_TYPE", "the machine type of the control plane", ""},
		{"GCP_NETWORK_NAME", "the network", ""},
		{"GCP_NODE_MACHINE_TYPE", "the machine type of the workers", ""},
		{"GCP_PROJECT", "the project", "example"},
		{"GCP_REGION", "the region", "europe-west1"},
		{"HCLOUD_CONTROL_PLANE_MACHINE_TYPE", "the server type of the control plane", ""},
		{"HCLOUD_IMAGE_NAME", "the value of the label caph-image-name of the snapshot", "ubuntu-kubernetes"},
		{"HCLOUD_REGION", "the location", ""},
		{"HCLOUD_SSH_KEY", "the name of an SSH key in the project", "key"},
		{"HCLOUD_WORKER_MACHINE_TYPE", "the server type of the workers", ""},
		{"HETZNER_SECRET_NAME", "the Secret with the token in the key hcloud", ""},
		{"IMAGE_CHECKSUM", "the checksum of the image, or the URL of a file with it", "https://mirror.example/sums"},
		{"IMAGE_CHECKSUM_TYPE", "md5, sha256 or sha512", ""},
		{"IMAGE_FORMAT", "raw, qcow2, vdi, vmdk or live-iso", ""},
		{"IMAGE_ID", "the self link of the image with Kubernetes", "projects/example/global/images/ubuntu"},
		{"IMAGE_URL", "the URL of the image with Kubernetes", "https://mirror.example/ubuntu.raw"},
		{"IP_PREFIX", "the length of the network's prefix", "24"},
		{"METAL3_INTERFACE", "the network interface that gets its address by DHCP", ""},
		{"NODE_IP_RANGES", "the addresses of the machines, as a YAML list of ranges", "[192.0.2.20-192.0.2.40]"},
		{"NODE_VM_IMAGE_TEMPLATE", "the container disk with Kubernetes", "quay.io/capk/ubuntu-2404-container-disk:v1.36.3"},
		{"OPENSTACK_CLOUD", "the name of the cloud in clouds.yaml", "example"},
		{"OPENSTACK_CLOUD_CACERT_B64", "the base64 of the CA of the cloud, if it is not a public one", ""},
		{"OPENSTACK_CLOUD_YAML_B64", "the base64 of clouds.yaml", "Y2xvdWRzOiB7fQo="},
		{"OPENSTACK_CONTROL_PLANE_MACHINE_FLAVOR", "the flavor of the control plane", "large"},
		{"OPENSTACK_DNS_NAMESERVERS", "the DNS server of the subnet", "192.0.2.53"},
		{"OPENSTACK_EXTERNAL_NETWORK_ID", "the network of floating IPs", "00000000-0000-0000-0000-000000000004"},
		{"OPENSTACK_IMAGE_NAME", "the name of the image with Kubernetes", "flatcar-kubernetes"},
		{"OPENSTACK_NODE_MACHINE_FLAVOR", "the flavor of the workers", "large"},
		{"OPENSTACK_SUBNET_CIDR", "the subnet, which the provider creates", ""},
		{"PROXMOX_SOURCENODE", "the node of Proxmox VE that has the virtual machine template", "pve1"},
		{"TEMPLATE_VMID", "the ID of the virtual machine template with Kubernetes", "100"},
		{"VSPHERE_CONTROL_PLANE_CPUS", "the CPUs of a control plane machine", ""},
		{"VSPHERE_CONTROL_PLANE_MEMORY", "the memory of a control plane machine in MiB", ""},
		{"VSPHERE_DATACENTER", "the datacenter", "dc"},
		{"VSPHERE_DATASTORE", "the datastore", "store"},
		{"VSPHERE_FOLDER", "the folder of the virtual machines", ""},
		{"VSPHERE_NETWORK", "the network, which has DHCP", "net"},
		{"VSPHERE_NODE_CPUS", "the CPUs of a worker", ""},
		{"VSPHERE_NODE_MEMORY", "the memory of a worker in MiB", ""},
		{"VSPHERE_PASSWORD", "the password of the user", "password"},
		{"VSPHERE_RESOURCE_POOL", "the resource pool", "pool"},
		{"VSPHERE_SERVER", "the host name of vCenter", "vcenter.example"},
		{"VSPHERE_TEMPLATE", "the virtual machine template with Kubernetes", "ubuntu"},
		{"VSPHERE_TLS_THUMBPRINT", "the SHA-1 of vCenter's certificate, in hexadecimal with colons", "AA:BB"},
		{"VSPHERE_USERNAME", "the user of vCenter", "user"},
		{"WORKER_CORES", "the CPU cores of a worker", ""},
		{"WORKER_MEMORY", "the memory of a worker", ""},
		{"WORKER_MEMORY_MIB", "the memory of a worker in MiB", ""},
	}
}

// examples are the values of required variables in tests.
func examples() (all []string) {
	for _, v := range providerVariables() {
		if v.example != "" {
			all = append(all, v.name+"="+v.example)
		}
	}
	return all
}

// commonVariables are those of all templates, which docs/install.md describes.
func commonVariables() []string {
	return []string{
		"ARCHITECTURE", "CLUSTER_NAME", "CONTROL_PLANE_MACHINE_COUNT", "DEBIAN_VERSION", "FLATCAR_VERSION",
		"KUBERNETES_VERSION", "NAMESPACE", "POD_CIDR", "SERVICE_CIDR", "SERVICE_DOMAIN", "SSH_AUTHORIZED_KEY",
		"UBUNTU_VERSION", "WORKER_MACHINE_COUNT",
	}
}

// defaults returns the default of each variable of a template, in Markdown; required ones have the default "required".
func (r repository) defaults(t *testing.T, template string) map[string]string {
	t.Helper()
	out, stderr, err := r.output(t, nil, r.listVariables(template)...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	required, optional, _ := strings.Cut(string(out), "Optional Variables:")
	all := map[string]string{}
	for name, value := range variablesOf(optional, "") {
		all[name] = "empty"
		if value != "" && value != `\"\"` {
			all[name] = "`" + value + "`"
		}
	}
	maps.Copy(all, variablesOf(required, "required"))
	return all
}

// requirements returns the comment at the top of a template. clusterctl leaves it out of what it generates.
func requirements(t *testing.T, template string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(read(t, filepath.Join(programs.Root(), "config/clusterctl",
		"cluster-template-"+template+".yaml"))) {
		text, is := strings.CutPrefix(line, "#")
		if !is {
			break
		}
		b.WriteString(strings.TrimPrefix(text, " "))
	}
	if b.Len() == 0 {
		t.Errorf("the template %s has no comment at its top", template)
	}
	return b.String()
}

// TestTemplatesPage generates the tables of the page about the templates, and their requirements. UPDATE=1 writes it.
func TestTemplatesPage(t *testing.T) {
	r := release(t)
	path := filepath.Join(programs.Root(), templatesPage)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prose, _, _ := strings.Cut(string(page), providersHeader)
	_, middle, _ := strings.Cut(string(page), variantsHeader)
	middle, _, _ = strings.Cut(middle, variablesHeader)
	var b, required strings.Builder
	b.WriteString(prose + providersHeader)
	for _, p := range providers() {
		checked := "by a test, with each change"
		revision := p.release
		if p.module == "" {
			checked, revision = "once", "commit "+p.commit
		}
		fmt.Fprintf(&b, "| `%s` | %s, %s | %s, %s, %s | %s |\n", p.template, p.name, p.system, p.repository, revision,
			p.crds, checked)
		fmt.Fprintf(&required, "### %s\n\n%s\n", p.template, requirements(t, p.template))
	}
	b.WriteString("\n## Requirements\n\n" + required.String() + variantsHeader + middle + variablesHeader +
		variableRows(t, r))
	golden.File(t, path, []byte(b.String()))
}

// variableRows returns the rows of the table of variables.
func variableRows(t *testing.T, r repository) string {
	t.Helper()
	templates, values := map[string][]string{}, map[string]string{}
	for _, p := range providers() {
		for name, value := range r.defaults(t, p.template) {
			if slices.Contains(commonVariables(), name) {
				continue
			}
			if before, found := values[name]; found && before != value {
				t.Errorf("%s has the defaults %s and %s", name, before, value)
			}
			templates[name], values[name] = append(templates[name], "`"+p.template+"`"), value
		}
	}
	var rows strings.Builder
	for _, v := range providerVariables() {
		if len(templates[v.name]) == 0 {
			t.Errorf("no template has the variable %s", v.name)
		}
		if (v.example != "") != (values[v.name] == "required") {
			t.Errorf("%s: the example is %q, the default %s", v.name, v.example, values[v.name])
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s |\n", v.name, strings.Join(templates[v.name], ", "), v.meaning,
			values[v.name])
		delete(templates, v.name)
	}
	for name := range templates {
		t.Errorf("the variable %s is not described", name)
	}
	return rows.String()
}
