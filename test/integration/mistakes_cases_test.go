package integration_test

import "strings"

// mistake is a mistake that users make often. Config is the spec of a config.
type mistake struct {
	reason, config string
	// version is that of the Machine, or empty for a version that the cluster supports.
	version      string
	controlPlane bool
	// cluster and workers replace the manifests of the terminal's Cluster and Machine.
	cluster, workers string
	// terminal are parts of the findings of validate; without any, validate accepts the manifests.
	terminal []string
	// server is a part of the refusal of the API server, and condition are parts of the condition Ready; both are empty
	// for manifests that are accepted.
	server    string
	condition []string
	// warnings are parts of the warnings of validate, and of the message of the condition DataSecretAvailable. The
	// manifests are accepted.
	warnings []string
	// state creates the objects in place of the rest of the test, and checks their conditions and events.
	state func(w *world, m mistake, name string)
	// terminalOnly is why neither the API server nor the controller reports the mistake.
	terminalOnly string
}

// mistakes are the mistakes that the API server, the controller and validate have to agree about.
func mistakes() map[string]mistake {
	all := map[string]mistake{}
	for _, group := range []map[string]mistake{
		mistakesOfNames(), mistakesOfEntries(), mistakesOfValues(), mistakesOfContents(), mistakesOfMachines(),
		mistakesOfReferences(), accepted(), states(),
	} {
		for name, m := range group {
			all[name] = m
		}
	}
	return all
}

func mistakesOfNames() map[string]mistake {
	return map[string]mistake{
		"distribution": {
			reason: "a letter is wrong", config: "os: {distribution: ubunto}",
			terminal:  []string{`spec.os.distribution: "ubunto" is not a known operating system; did you mean ubuntu?`},
			condition: []string{`spec.os.distribution: "ubunto" is not a known operating system; did you mean ubuntu?`},
		},
		"field": {
			reason: "the name of a list is a plural", config: "os: {distribution: debian}\nmachine: {file: []}",
			terminal: []string{"spec.machine.file: unknown field; did you mean files?"},
			server:   `unknown field "spec.machine.file"`,
		},
		"nested field": {
			reason: "cloud-init has another name", config: files("{path: /a, contents: a}"),
			terminal: []string{"spec.machine.files[0].contents: unknown field; did you mean content?"},
			server:   `unknown field "spec.machine.files[0].contents"`,
		},
		"mode of delivery": {
			reason:   "two letters are exchanged",
			config:   "os: {distribution: debian}\ndelivery: {mode: Agnet}",
			terminal: []string{`spec.delivery.mode: "Agnet" is not a known value; did you mean Agent?`},
			server:   "spec.delivery.mode: Unsupported value",
		},
		"architecture": {
			reason: "uname has another name", config: "os: {distribution: debian, architecture: x86_64}",
			terminal: []string{`spec.os.architecture: "x86_64" is not a known value; use one of amd64, arm64`},
			server:   "spec.os.architecture: Unsupported value",
		},
		"release of another system": {
			reason: "the distribution was changed, and the version was not",
			config: "os: {distribution: ubuntu, version: 4230.2.0}\nmachine: {kubernetes: {provision: Image}}",
			terminal: []string{
				`spec.os.version: "4230.2.0" is not a release of Ubuntu, but has the form of one of Flatcar; write it as 24.04`,
			},
			condition: []string{
				`spec.os.version: "4230.2.0" is not a release of Ubuntu, but has the form of one of Flatcar; write it as 24.04`,
			},
		},
		"format": {
			reason: "no format has this name", config: "os: {distribution: debian}\nformat: cloudinit",
			terminal: []string{"spec.format: ", "cloud-init"}, condition: []string{"spec.format: ", "cloud-init"},
		},
		"no system": {
			reason: "a machine has an operating system", config: "machine: {}",
			terminal: []string{"spec.os: a value is required; set this field"}, server: "spec.os: Required value",
		},
		"sysctl": {
			reason:    "a shell would run it",
			config:    "os: {distribution: debian}\nmachine: {sysctls: {\"net ipv4;reboot\": \"1\"}}",
			terminal:  []string{"spec.machine.sysctls"},
			condition: []string{"spec.machine.sysctls"},
		},
	}
}

func mistakesOfEntries() map[string]mistake {
	return map[string]mistake{
		"two files": {
			reason: "the second one would win", config: files("{path: /a}, {path: /a}"),
			terminal: []string{"spec.machine.files[1]: another entry of the list has the same key; remove one of the two"},
			server:   "spec.machine.files[1]: Duplicate value",
		},
		"two users": {
			reason: "a user exists once", config: "os: {distribution: debian}\nmachine: {users: [{name: a}, {name: a}]}",
			terminal: []string{"spec.machine.users[1]: another entry of the list has the same key"},
			server:   "spec.machine.users[1]: Duplicate value",
		},
		"two units": {
			reason:   "a unit exists once",
			config:   "os: {distribution: debian}\nmachine: {units: [{name: a.service}, {name: a.service}]}",
			terminal: []string{"spec.machine.units[1]: another entry of the list has the same key"},
			server:   "spec.machine.units[1]: Duplicate value",
		},
		"two contents": {
			reason:   "a file has one content",
			config:   files("{path: /a, content: a, contentFrom: {secret: {name: a, key: b}}}"),
			terminal: []string{"spec.machine.files[0]", "content"},
			server:   "at most one of the fields in [content contentFrom parts] may be set",
		},
		"two sources": {
			reason:   "a content is in one object",
			config:   files("{path: /a, contentFrom: {secret: {name: a, key: b}, configMap: {name: a, key: b}}}"),
			terminal: []string{"spec.machine.files[0].contentFrom"},
			server:   "exactly one of the fields in [secret configMap] must be set",
		},
	}
}

func mistakesOfValues() map[string]mistake {
	return map[string]mistake{
		"number": {
			reason:   "YAML reads a number",
			config:   "os: {distribution: debian}\nmachine: {sysctls: {net.core.somaxconn: 1}}",
			terminal: []string{"spec.machine.sysctls", "expected a string, got a number; put the value in quotes"},
			server:   `spec.machine.sysctls.net.core.somaxconn: Invalid value: "integer"`,
		},
		"mapping": {
			reason:   "arguments are a list",
			config:   "os: {distribution: debian}\ncontrolPlane: {apiServer: {extraArgs: {v: \"2\"}}}",
			terminal: []string{"spec.controlPlane.apiServer.extraArgs: expected a list, got an object"},
			server:   `unknown field "spec.controlPlane.apiServer.extraArgs.v"`,
		},
		"text for list": {
			reason: "cloud-init accepts it", config: "os: {distribution: debian}\nmachine: {users: [{name: a, groups: sudo}]}",
			terminal: []string{"spec.machine.users[0].groups: expected a list, got a string; write a list"},
			server:   `spec.machine.users[0].groups: Invalid value: "string"`,
		},
		"relative path": {
			reason: "a path has no directory", config: files("{path: etc/a}"),
			terminal: []string{`spec.machine.files[0].path: "etc/a" is not absolute; begin it with a slash`},
			server:   "spec.machine.files[0].path",
		},
		"permissions": {
			reason: "8 is no octal digit", config: files(`{path: /a, permissions: "0888"}`),
			terminal: []string{"spec.machine.files[0].permissions: ", "write octal digits"},
			server:   "spec.machine.files[0].permissions",
		},
		"digest": {
			reason: "a digest has 64 digits",
			config: "os: {distribution: flatcar}\nmachine: {kubernetes: {provision: Sysext, artifacts: " +
				"[{name: kubernetes, url: \"https://a.example/k.raw\", sha256: abc}]}}",
			terminal: []string{"spec.machine.kubernetes.artifacts[0].sha256: ", "64"},
			server:   "spec.machine.kubernetes.artifacts[0].sha256",
		},
		"no artifacts": {
			reason: "an extension has to come from somewhere", config: "os: {distribution: flatcar}",
			terminal:  []string{"spec.machine.kubernetes", "none is given; give an artifact"},
			condition: []string{"spec.machine.kubernetes", "none is given; give an artifact"},
		},
		"packages": {
			reason:    "both mistakes are reported at once",
			config:    "os: {distribution: flatcar}\nmachine: {packages: {install: [vim]}, kubernetes: {provision: Package}}",
			terminal:  []string{"spec.machine.packages", "spec.machine.kubernetes"},
			condition: []string{"2 errors: 1. ", "spec.machine.packages", "spec.machine.kubernetes"},
		},
	}
}

func mistakesOfContents() map[string]mistake {
	return map[string]mistake{
		"missing Secret": {
			reason: "it may come later", config: files("{path: /a, contentFrom: {secret: {name: nosuch, key: key}}}"),
			terminal:  []string{"spec.machine.files[0].contentFrom.secret: key key of Secret nosuch does not exist; create it"},
			condition: []string{"spec.machine.files[0].contentFrom.secret: key key of Secret nosuch does not exist; create it"},
		},
		"large file": {
			reason:   "an object has at most 1.5 MiB",
			config:   files("{path: /a, content: \"" + strings.Repeat("a", 1<<20+100_000) + "\"}"),
			terminal: []string{"spec.machine.files[0].content"},
			server:   "spec.machine.files[0].content: Too long",
		},
		"base64": {
			reason: "an exclamation mark is no digit", config: files("{path: /a, content: \"a!\", encoding: base64}"),
			terminal:  []string{"spec.machine.files[0].content", "the content is not base64; encode it with: base64 FILE"},
			condition: []string{"spec.machine.files[0].content", "the content is not base64; encode it with: base64 FILE"},
		},
	}
}

func mistakesOfMachines() map[string]mistake {
	return map[string]mistake{
		"version": {
			reason: "no such version exists", config: image("debian"), version: "v1.50.0",
			terminal: []string{"spec.version: ", "v1.28"}, condition: []string{"v1.50.0", "v1.36.3"},
		},
		"kubelet number": {
			reason: "kubelet would not start",
			config: image("debian") + "node: {kubelet: {config: {maxPod: 5, maxPods: many}}}\n",
			terminal: []string{
				"spec.node.kubelet.config.maxPods: kubelet accepts only a whole number",
				"this is a string, so that it would not start; write such a number without quotes",
				"spec.node.kubelet.config.maxPod: kubelet does not have this field, so that it has no effect",
				"did you mean maxPods?",
			},
			condition: []string{
				"spec.node.kubelet.config.maxPods: kubelet accepts only a whole number",
				"this is a string, so that it would not start; write such a number without quotes",
			},
		},
		"kube-proxy number": {
			reason: "kube-proxy would not start", controlPlane: true,
			config: image("debian") + "controlPlane: {kubeProxy: {config: {conntrack: {maxPerCore: all}}}}\n",
			terminal: []string{
				"spec.controlPlane.kubeProxy.config.conntrack.maxPerCore: kube-proxy accepts only a whole number",
				"write such a number without quotes",
			},
			condition: []string{
				"spec.controlPlane.kubeProxy.config.conntrack.maxPerCore: kube-proxy accepts only a whole number",
				"write such a number without quotes",
			},
		},
		"Windows control plane": {
			reason: "kubeadm has no such control plane", config: "os: {distribution: windows-server-2022}", controlPlane: true,
			terminal:  []string{"use a Linux distribution"},
			condition: []string{"use a Linux distribution"},
		},
		"Talos in a cluster of kubeadm": {
			reason: "it cannot join", config: "os: {distribution: talos}",
			terminal:  []string{"spec.os: Talos Linux cannot join this cluster"},
			condition: []string{"spec.os: Talos Linux cannot join this cluster"},
		},
	}
}

func mistakesOfReferences() map[string]mistake {
	return map[string]mistake{
		"config of a deployment": {
			reason: "machines are created from templates", config: image("debian"),
			workers: `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: workers}
spec:
  clusterName: demo
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      clusterName: demo
      version: v1.36.3
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ExampleMachineTemplate, name: a}
      bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: config}}
`,
			terminal: []string{"spec.template.spec.bootstrap.configRef.kind: machines cannot be created from the " +
				"MachineBootstrapConfig; use the kind MachineBootstrapConfigTemplate"},
			terminalOnly: "the core provider logs that it cannot clone the config",
		},
		"cluster of nothing": {
			reason: "no controller would create it", config: image("debian"),
			cluster: "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: demo}\nspec: {paused: false}\n",
			terminal: []string{"spec: a Cluster needs one of controlPlaneRef, infrastructureRef and topology; set " +
				"controlPlaneRef and infrastructureRef, or topology"},
			server: "one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set",
		},
		"kind": {
			reason: "a letter is missing", config: image("debian"),
			workers: "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfg\nmetadata: {name: a}\n" +
				"spec: {}\n",
			terminal: []string{`kind: bootstrap.machineadm.io has no kind "MachineBootstrapConfg"; did you mean ` +
				"MachineBootstrapConfig?"},
			server: `no matches for kind "MachineBootstrapConfg"`,
		},
		"name of the config": {
			reason: "nothing has this name", config: image("debian"),
			workers: strings.ReplaceAll(machineManifest("v1.36.3", false), "name: config", "name: confg"),
			terminal: []string{"refers to the MachineBootstrapConfig confg, which is not among the manifests; did you " +
				"mean config?"},
			terminalOnly: "the core provider reports it at the Machine",
		},
		"YAML": {
			reason: "a bracket is not closed", config: "os: {distribution: debian", terminalOnly: "a client cannot send it",
			terminal: []string{"a list or a mapping in brackets is not closed"},
		},
	}
}

// sshKey is a public key.
const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw"

// accepted are manifests that look like mistakes, and that neither side may refuse.
func accepted() map[string]mistake {
	return map[string]mistake{
		"field that kubelet lacks": {
			reason:   "kubelet decodes its configuration without it",
			config:   image("debian") + "node: {kubelet: {config: {maxPod: 5}}}\n",
			warnings: []string{"spec.node.kubelet.config.maxPod: kubelet does not have this field", "did you mean maxPods?"},
		},
		"unknown infrastructure": {reason: "a provider may be new", config: image("debian")},
		"unknown sysctl": {
			reason: "modules have their own", config: image("debian") +
				"  sysctls: {net.example.value: lots}\n",
		},
		"group of the image": {
			reason:   "the base system of Debian has a group of the name",
			config:   image("ubuntu") + "  users: [{name: operator, sshAuthorizedKeys: [" + sshKey + "]}]\n",
			warnings: []string{"spec.machine.users[0].name: Ubuntu has a group operator", "set primaryGroup to operator"},
		},
		"no public key": {
			reason:   "new types of keys exist",
			config:   image("ubuntu") + "  users: [{name: ops, sshAuthorizedKeys: [garbage]}]\n",
			warnings: []string{"spec.machine.users[0].sshAuthorizedKeys[0]: this is not a public key", "~/.ssh/id_ed25519.pub"},
		},
		"truncated key": {
			reason:   "sshd ignores it",
			config:   image("ubuntu") + "  users: [{name: ops, sshAuthorizedKeys: [" + sshKey[:64] + "]}]\n",
			warnings: []string{"spec.machine.users[0].sshAuthorizedKeys[0]: the ssh-ed25519 key is truncated or damaged"},
		},
		"no user": {reason: "machines may be reached by the console", config: image("ubuntu")},
		"no key": {
			reason: "cloud-init does not create the default user of the image beside other users",
			config: image("ubuntu") + "  users: [{name: ops}]\n",
			warnings: []string{
				"spec.machine.users[0]: no user can log in: no user has a key or a password",
				"set sshAuthorizedKeys or passwordHash of a user",
			},
		},
	}
}

// image returns the spec of a machine whose image contains Kubernetes.
func image(distribution string) string {
	return "os: {distribution: " + distribution + "}\nmachine:\n  kubernetes: {provision: Image}\n"
}

func files(list string) string { return image("debian") + "  files: [" + list + "]\n" }
