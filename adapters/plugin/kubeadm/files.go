package kubeadm

import (
	"context"
	"fmt"
	"strconv"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/manifest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/componentconfig"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// file returns the writing of a file, for root alone if it is secret.
func file(path string, content document.Content, secret bool) action.Action {
	f := machine.File{Path: path, Content: content, Mode: machine.DefaultFileMode, Secret: secret}
	if secret {
		f.Mode = machine.SecretFileMode
	}
	return action.Action{Do: action.WriteFile{File: f}}
}

func (j *job) appendCertificates(actions []action.Action) []action.Action {
	dir := j.node.CertificatesDir
	if dir == "" {
		dir = defaultCertificatesDir
	}
	for _, c := range j.node.Certificates {
		actions = append(actions, file(j.target.place(dir+"/"+c.Path), document.Literal(c.Content.Reveal()), c.Private))
	}
	return actions
}

// appendDiscovery writes the kubeconfig with which a machine finds its cluster.
func (j *job) appendDiscovery(ctx context.Context, actions []action.Action) []action.Action {
	d := j.node.Discovery
	if d == nil || d.Kubeconfig.IsZero() || j.node.Role == node.RoleInit {
		return actions
	}
	at := j.at.Field("discovery").Field("kubeconfig")
	_, found := manifest.Read(ctx, at, d.Kubeconfig.Reveal(), manifest.Type{APIVersions: []string{"v1"}, Kind: "Config"})
	j.found = append(j.found, found...)
	return append(actions, file(j.target.place(DiscoveryPath), document.Literal(d.Kubeconfig.Reveal()), true))
}

// hasPatches reports whether there is anything for kubeadm to patch.
func (j *job) hasPatches() bool { return len(j.node.Patches) > 0 || len(j.node.Kubelet.Config) > 0 }

// patches returns the directory that kubeadm reads: the image's, or the one with the patches of the node.
func (j *job) patches() *patches {
	switch {
	case j.hasPatches():
		return &patches{Directory: j.target.place(PatchDir)}
	case j.node.PatchesDirectory != "":
		return &patches{Directory: j.node.PatchesDirectory}
	default:
		return nil
	}
}

// copyPatches returns the command that adds the image's patches to those of the node: kubeadm reads one directory. It
// is empty if there is nothing to copy.
func (j *job) copyPatches() string {
	if !j.hasPatches() || j.node.PatchesDirectory == "" {
		return ""
	}
	return "cp -R " + action.Quote(j.node.PatchesDirectory) + "/. " + PatchDir + "/ && "
}

// kubeletTarget is the target of patches for kubelet's configuration, and coreDNSTarget that for the Deployment of
// CoreDNS.
const (
	kubeletTarget = "kubeletconfiguration"
	coreDNSTarget = "corednsdeployment"
)

// appendPatches writes kubelet's configuration as a patch and the user's patches after it: kubeadm applies them in the
// order of their names.
func (j *job) appendPatches(ctx context.Context, actions []action.Action) ([]action.Action, error) {
	if config := j.node.Kubelet.Config; len(config) > 0 {
		encoded, err := encode(config)
		if err != nil {
			return nil, fmt.Errorf("kubelet's configuration: %w", err)
		}
		actions = append(actions, j.patchFile(kubeletTarget, "merge", 0, encoded))
	}
	for i, patch := range j.node.Patches {
		kind := patch.Type
		if kind == "" {
			kind = "strategic"
		}
		at := j.at.Field("patches").Index(i).Field("content")
		mappings, found := manifest.CheckPatch(ctx, at, patch.Content, kind == "json")
		j.found = append(j.found, found...)
		if patch.Target == coreDNSTarget && j.api < firstCoreDNSPatch {
			j.find(report.Warningf(j.at.Field("patches").Index(i).Field("target"), "kubeadm of Kubernetes %s ignores patches "+
				"of %s", j.api.name(), coreDNSTarget).To("remove the patch, or use Kubernetes 1.%d or newer", firstCoreDNSPatch))
		}
		if patch.Target == kubeletTarget {
			for _, m := range mappings {
				j.found = append(j.found, componentconfig.Kubelet(at, m, int(j.api))...)
			}
		}
		actions = append(actions, j.patchFile(patch.Target, kind, i+1, patch.Content))
	}
	return actions, nil
}

// patchFile numbers patches with four digits, so that the order of their names is the order of the numbers.
func (j *job) patchFile(target, kind string, i int, content []byte) action.Action {
	number := strconv.Itoa(10000 + i)[1:]
	return file(j.target.place(PatchDir+"/"+target+number+"+"+kind+".yaml"), document.Literal(content), true)
}

// command runs kubeadm and then removes what it has read, secrets among it.
func (j *job) command() action.Action {
	if expand.IsWindows(j.target.Target) {
		return j.windowsCommand()
	}
	verb, options := "join", ""
	if j.node.Role == node.RoleInit {
		// By default, kubeadm init prints the token that it creates.
		verb, options = "init", " --skip-token-print"
	}
	if v := j.node.Verbosity; v > 0 {
		options += " --v=" + strconv.Itoa(v)
	}
	remove := "rm -f " + ConfigPath
	if d := j.node.Discovery; verb == "join" && d != nil && !d.Kubeconfig.IsZero() {
		remove += " " + DiscoveryPath
	}
	if j.hasPatches() {
		remove += " && rm -rf " + PatchDir
	}
	return action.Action{Do: action.RunCommand{
		Name:   "kubeadm " + verb,
		Script: j.copyPatches() + "kubeadm " + verb + " --config " + ConfigPath + options + " && " + remove,
		When:   document.PhaseJoin,
		Undo:   j.undo(),
	}}
}
