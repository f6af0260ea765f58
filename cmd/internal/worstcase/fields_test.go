package worstcase_test

import (
	"slices"
	"strings"
)

// known returns texts of fields that take names and forms of their own.
func known(field, serial string, n int) []string {
	elements := func(prefix string) string {
		path := prefix + serial
		for len(path)+201 <= n {
			path += "/" + strings.Repeat("a", 200)
		}
		return path
	}
	last := field[strings.LastIndex(field, ".")+1:]
	switch {
	case takesCertificates(field):
		return []string{certificates(n)}
	case strings.Contains(field, "crio.registries") && (last == "url" || last == "server"):
		return []string{"https://h" + serial + ".example"}
	case strings.HasSuffix(field, "units.name"):
		return []string{strings.Repeat("n", max(min(n, 250)-8-len(serial), 1)) + serial + ".service"}
	case strings.HasSuffix(field, "dropIns.name"):
		return []string{strings.Repeat("n", max(min(n, 250)-5-len(serial), 1)) + serial + ".conf"}
	case strings.HasSuffix(field, "mounts.source"), last == "device":
		return []string{elements("/dev/d")}
	case strings.HasSuffix(field, "os.distribution"):
		return []string{"ubuntu"}
	case slices.Contains([]string{"path", "homeDir", "shell", "hostPath", "mountPath", "logPath", "dataDir"}, last):
		return []string{elements("/var/a")}
	case last == "noProxy", last == "host", last == "domain":
		return []string{"h" + serial + ".example"}
	case last == "locale", last == "uiLanguage", last == "keyboard":
		return []string{"de-DE"}
	case last == "hostname", strings.HasSuffix(field, "filesystems.label"):
		return []string{"h" + serial}
	case last == "advertiseAddress":
		return []string{"10.0.0.1"}
	case last == "apiServerEndpoint":
		return []string{"h" + serial + ".example:6443"}
	case strings.HasSuffix(field, "bootstrapTokens.groups"):
		return []string{"system:bootstrappers:" + strings.Repeat("a", max(n-21-len(serial), 1)) + serial}
	case strings.HasSuffix(field, "taints.key"):
		return []string{"a.example/k" + serial}
	case last == "criSocket":
		return []string{"unix://" + elements("/run/a")}
	default:
		return nil
	}
}

// headers are the beginnings of Kubernetes' configuration files, by a part of their place.
func headers() map[string]string {
	const kubeconfig = "apiVersion: v1\nkind: Config\n" +
		"clusters: [{name: a, cluster: {server: 'https://a.example:6443'}}]\n" +
		"users: [{name: a}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\n"
	return map[string]string{
		"apiServer.admission": "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: []\n",
		"audit.policy":        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]\n",
		"apiServer.authentication": "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n" +
			"jwt: []\n",
		"apiServer.authorization": "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\n" +
			"authorizers: [{type: Node, name: a}]\n",
		"authenticationWebhook": kubeconfig,
		"discovery.kubeconfig":  kubeconfig,
		"encryptionAtRest": "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n" +
			"resources: [{resources: [secrets], providers: [{identity: {}}]}]\n",
		"scheduler.config": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" +
			"clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}\n",
	}
}

// prefix is the beginning with which a field's text means something, so that it is not refused at once.
func prefix(field string) string {
	last := field[strings.LastIndex(field, ".")+1:]
	for place, header := range headers() {
		if strings.HasSuffix(strings.TrimSuffix(field, ".content"), place) {
			return header + "# "
		}
	}
	switch {
	case strings.Contains(field, "staticPods") && last == "content":
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n# "
	case strings.HasSuffix(field, "patches.content"):
		return "apiVersion: v1\nkind: A\na: b\n# "
	case strings.HasSuffix(field, "snippets.text"):
		return "#cloud-config\nwrite_files: []\n# "
	case strings.HasSuffix(field, "parts.text"):
		return "#!/bin/sh\n# "
	case strings.HasSuffix(field, "url"), strings.HasSuffix(field, "server"), strings.HasSuffix(field, "Proxy"):
		return "https://h.example/"
	case last == "rawTOML":
		return "# "
	case strings.HasSuffix(field, "tls.key"):
		return privateKey
	case last == "contents":
		return "[Service]\n# "
	case last == "sshAuthorizedKeys":
		return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw "
	case last == "passwd":
		return "$6$a$"
	default:
		return ""
	}
}
