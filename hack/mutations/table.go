package main

// The folders of the tests.
const (
	bootscript = "adapters/render/internal/bootscript"
	terminal   = "cmd/machineadmctl"
	onDebian   = "test/consumers/agent"
	services   = "test/consumers/services"
)

// mutations returns at least one mutation for each row of docs/requirements.md.
func mutations() []mutation {
	var all []mutation
	all = append(all, provisioning()...)
	all = append(all, systems()...)
	all = append(all, verification()...)
	all = append(all, delivery()...)
	all = append(all, configuration()...)
	return append(all, secrecy()...)
}

// provisioning creates nodes: kubeadm, its outcome, static pods.
func provisioning() []mutation {
	return []mutation{
		{
			rows: []string{"R1"}, file: "adapters/plugin/kubeadm/kubeadm.go",
			before: "j.appendAnnotations(append(actions, j.command()))", after: "j.appendAnnotations(actions)",
			pkg: onDebian, test: "TestAgentBootsAMachine/cloud-init_of_2022",
		},
		{
			rows: []string{"R1", "U12"}, file: "app/agent/stop.go",
			before: "a.status.Failure = status.StateFailed, a.Clock.Now(), &f",
			after:  "a.status.Failure = status.StateFailed, a.Clock.Now(), &status.Failure{Cause: f.Cause}",
			pkg:    "app/agent", test: "TestFailureNamesTheStep",
		},
		{
			rows: []string{"U12"}, file: bootscript + "/record.sh",
			before: `cp "$_state/failure.json" "$_run/bootstrap-failure.json"`, after: "true",
			pkg: "test/consumers/cloudinit", test: "TestFailedPreCommandLeavesARecord",
		},
		{
			rows: []string{"R3"}, file: "adapters/plugin/staticpod/staticpod.go",
			before: `Dir = "/etc/kubernetes/manifests"`, after: `Dir = "/etc/kubernetes/pods"`,
			pkg: "test/consumers/kubeadm", test: "TestStaticPodsPassPreflight",
		},
		{
			rows: []string{"R4", "U6"}, file: "adapters/plugin/kubeadm/version.go",
			before: "firstV1beta4 = 31", after: "firstV1beta4 = 28",
			pkg: "adapters/plugin/kubeadm", test: "TestVersions", quick: true,
		},
		{
			rows: []string{"R5"}, file: "app/delegate/delegate.go",
			before: `+ " apply"`, after: `+ " status"`,
			pkg: onDebian, test: "TestAgentBootsAMachine/newer_Ignition",
		},
		{
			rows: []string{"R5"}, file: "app/delegate/delegate.go",
			before: `+ " apply"`, after: `+ " status"`,
			pkg: "app/delegate", test: "TestCommandQuotesTheAgent",
		},
		{
			rows: []string{"R7"}, file: "adapters/plugin/kubeadm/kubeadm.go",
			before: "actions = j.appendCertificates(actions)",
			after: `actions = append(j.appendCertificates(actions),
				file("/etc/kubernetes/manifests/machineadm.yaml", config, true))`,
			pkg: "cmd/machineadm", test: "TestNoStaticPodsOfItsOwn",
		},
	}
}

// systems are the tools of operating systems, and clusters that do not use machineadm.
func systems() []mutation {
	return []mutation{
		{
			rows: []string{"R8", "U3"}, file: "adapters/render/unattend/encode.go",
			before: "if f.join != nil {", after: `if f.join != nil && f.join.Domain == "none" {`,
			pkg: "adapters/render/unattend", test: "TestSettings",
		},
		{
			rows: []string{"R8", "U3"}, file: "adapters/render/cloudbaseinit/cloudbaseinit.go",
			before: "c.identity.Join(op.DomainJoin)", after: "_ = op",
			pkg: "adapters/render/cloudbaseinit", test: "TestKindOfPayload",
		},
		{
			rows: []string{"R9", "U7"}, file: "cmd/machineadm-controller/manager.go",
			before: `if o.namespace != "" {`, after: `if o.namespace == "nothing" {`,
			pkg: "test/integration", test: "TestManagerOfOneNamespaceLeavesOthersAlone",
		},
		{
			rows: []string{"R9", "U7"}, file: "adapters/kubernetes/capi/lookup.go",
			before: "return ref.APIGroup == v1alpha1.Group && ref.Kind == v1alpha1.ConfigKind && ref.Name == config.Name",
			after:  "return ref.Name == config.Name", pkg: "adapters/kubernetes/capi", test: "TestAnOwnerNamesItsConfig",
		},
		{
			rows: []string{"U1"}, file: "adapters/render/internal/ignmodel/program.go",
			before: "Text(b.programUnit()), Enabled: &enabled", after: "Text(b.programUnit()), Masked: enabled",
			pkg: terminal, test: "TestScenarios/fedora-coreos",
		},
		{
			rows: []string{"U2"}, file: "adapters/plugin/kubernetes/sysext.go",
			before: "action.Link{Path: link, Target: image}", after: `action.Link{Path: link + ".off", Target: image}`,
			pkg: terminal, test: "TestScenarios/flatcar-sysext",
		},
	}
}

// verification is of what is downloaded.
func verification() []mutation {
	return []mutation{
		{
			rows: []string{"R6"}, file: "adapters/system/linux/fetch.go",
			before: "got != v.want {", after: `got == "" {`,
			pkg: "adapters/system/linux", test: "TestDownloadsAreVerified",
		},
		{
			rows: []string{"R6"}, file: bootscript + "/files.go",
			before: "= '%s  -' ]||{", after: "= '%s  -' ]||true||{",
			pkg: bootscript, test: "TestFetchRefusesAWrongDigest",
		},
		{
			rows: []string{"R6"}, file: "adapters/pluginhost/host/find.go",
			before: "err == nil && !strings.EqualFold(", after: "err == nil && strings.EqualFold(",
			pkg: "adapters/pluginhost/host", test: "TestTrust",
		},
		{
			rows: []string{"R6"}, file: "adapters/signature/signature.go",
			before: "if !fits {", after: "if !fits && len(signature) == 0 {",
			pkg: "adapters/signature", test: "TestVerify", quick: true,
		},
		{
			rows: []string{"R6", "R12"}, file: "app/render/pin.go",
			before: "err := s.signatures.Verify(r.PublicKey, r.Checksums, r.Signature);", after: "err := error(nil);",
			pkg: "app/render", test: "TestReleaseIsVerified",
		},
	}
}

// delivery is where the agent and its configuration come from.
func delivery() []mutation {
	return []mutation{
		{
			rows: []string{"R10"}, file: "adapters/endpoint/agents.go",
			before: `p.SHA256 == digest || digest == "" && p.Current`, after: `digest == "" && p.Current`,
			pkg: "adapters/endpoint", test: "TestAgents",
		},
		{
			rows: []string{"R10"}, file: "app/bootstrap/endpoint.go",
			before: "SHA256: digest, Authorities: e.Authorities", after: "SHA256: digest",
			pkg: "app/bootstrap", test: "TestTheEndpointsAgentIsPinned",
		},
		{
			rows: []string{"R10"}, file: bootscript + "/files.go",
			before: `" --cacert "+trusted, " --ca-certificate="+trusted`, after: `" -k", " --no-check-certificate"`,
			pkg: bootscript, test: "TestFetchTrustsItsAuthorityAlone",
		},
		{
			rows: []string{"R11", "U10"}, file: "adapters/plugin/containerd/hosts.go",
			before: "text = append(append(text, '\\n'), table...)", after: "_ = table",
			pkg: services, test: "TestContainerdUsesMirrors",
		},
		{
			rows: []string{"R12"}, file: "app/delegate/check.go",
			before: `"{version}", f.Version,`, after: `"{version}", "latest",`,
			pkg: onDebian, test: "TestAgentIsFetched",
		},
		{
			rows: []string{"R12"}, file: "app/delegate/check.go",
			before: `"{version}", f.Version,`, after: `"{version}", "latest",`,
			pkg: "app/delegate", test: "TestPlan",
		},
		{
			rows: []string{"R13"}, file: "adapters/system/linux/fetch.go",
			before: "http.MethodGet", after: "http.MethodPost",
			pkg: "adapters/system/linux", test: "TestDownloadsAreVerified",
		},
		{
			rows: []string{"U8"}, file: "adapters/plugin/containerd/hosts.go",
			before: "text = append(append(text, '\\n'), table...)", after: "_ = table",
			pkg: terminal, test: "TestScenarios/air-gapped",
		},
		{
			rows: []string{"U13"}, file: "adapters/render/cloudinit/stub.go",
			before: "zlib.BestCompression", after: "zlib.NoCompression",
			pkg: "adapters/render/cloudinit", test: "TestStubIsSmall",
		},
	}
}

// configuration is of the machine and of the control plane.
func configuration() []mutation {
	return []mutation{
		{
			rows: []string{"R2"}, file: "adapters/plugin/sysctl/sysctl.go",
			before: `b.WriteString(s.Name + `, after: `b.WriteString("# " + s.Name + `,
			pkg: services, test: "TestSysctlSetsValues",
		},
		{
			rows: []string{"R14", "U10"}, file: "adapters/plugin/containerd/config.go",
			before: `toml:"default_runtime_name"`, after: `toml:"default_runtime"`,
			pkg: services, test: "TestContainerdReadsEveryValue",
		},
		{
			rows: []string{"R15"}, file: "app/oscontract/check.go",
			before: `return m.one("curl", "wget")`, after: `return m.one("sh", "wget")`,
			pkg: "app/oscontract", test: "TestEachClause",
		},
		{
			rows: []string{"U4"}, file: "domain/hardening/expand.go",
			before: "n.Kubelet.Config, given = withField(", after: "_, given = withField(",
			pkg: "domain/hardening", test: "TestEverySettingIsApplied",
		},
		{
			rows: []string{"U5"}, file: "domain/hardening/expand.go",
			before: "if e.checksToApply(a) == nil || ", after: "if e.Profile == STIG && a.Part == PartAPIServer || " +
				"e.checksToApply(a) == nil || ",
			pkg: "domain/hardening", test: "TestEverySettingIsApplied",
		},
		{
			rows: []string{"U9"}, file: "adapters/plugin/kubeadm/controlplanefiles.go",
			before: "policy = a.Audit.Policy", after: "policy = nil",
			pkg: terminal, test: "TestScenarios/control-plane-init",
		},
		{
			rows: []string{"U11"}, file: "adapters/plugin/kubeadm/controlplanefiles.go",
			before: "content: a.Authentication, first", after: "content: nil, first",
			pkg: terminal, test: "TestScenarios/hardened",
		},
		{
			rows: []string{"bootstrap templates"}, file: "app/template/template.go",
			before: "if function == gzipBase64 {", after: `if function == "none" {`,
			pkg: "app/template", test: "TestProposal",
		},
	}
}

// secrecy is of encrypted configuration.
func secrecy() []mutation {
	return []mutation{
		{
			rows: []string{"encrypted configuration"}, file: "domain/indirect/encrypted.go",
			before: "associated, machine, c.Provider", after: "associated, c.Provider",
			pkg: "adapters/seal", test: "TestOneError",
		},
		{
			rows: []string{"the passphrase at a remote location"}, file: "adapters/seal/passphrases.go",
			before: "indirect.ProviderRemote && p.Source != nil", after: "indirect.ProviderRemote && p.Source == nil",
			pkg: "adapters/seal", test: "TestPassphrases",
		},
		{
			rows: []string{"envelope encryption by a key management service"}, file: "adapters/kms/kmsv2/kmsv2.go",
			before: "Ciphertext: u.Wrapped,", after: "Ciphertext: nil,",
			pkg: "adapters/kms/kmsv2", test: "TestPassphraseRoundTrip",
		},
		{
			rows: []string{"FIPS compliance"}, file: "adapters/seal/seal.go",
			before: `"crypto/sha512"`, after: `sha512 "crypto/md5"`,
			pkg: "cmd/machineadm", test: "TestFIPS",
		},
	}
}
