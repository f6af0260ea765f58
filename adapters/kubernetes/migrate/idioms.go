package migrate

import "strings"

// The messages about idioms that are translated.
const (
	factsInValues  = "facts replace the placeholders"
	factsInFiles   = "facts of the machine replace the placeholders of cloud-init"
	versionInFiles = "parts with the fact controlPlaneVersion replace the template; the fact is the oldest version of " +
		"the control plane's Machines"
	factFile        = "%s contains the fact %s"
	configOfKubeadm = "the command was removed; machineadm writes the configuration of kubeadm and sets the facts in " +
		"it"
	variablesOfAfterburn = "the command was removed; facts replace the variables of afterburn"
	setsHostname         = "the command was removed; the platform sets the host name before"
	markers              = initMarker + " and " + joinMarker + " replace the files by which the first machine was " +
		"distinguished"
	oneCommand = "the commands from number %d on are one command, because they need the variables or the " +
		"directory of the shell"
	testIgnored      = "|| true ignores the status of the test, because a command that fails stops the bootstrap"
	unitOfKubeadm    = "kubeadm.service does not exist here and was removed; facts replace its variables"
	virtualIPInstead = "spec.controlPlane.virtualIP replaces the manifest of kube-vip, with its own image and timeouts"
	kubeadmPatches   = "spec.node.patches replaces the files in this directory"
	labelsInstead    = "spec.node.labels replaces this argument"
	pathOfPatch      = "the path is now %s"
)

// Idiom is text that other providers understand, and that is translated.
type Idiom struct {
	// Text and Result describe the idiom and its translation in documents.
	Text, Result string
	message      string
}

// Reported reports whether a line of a report is about the idiom.
func (i Idiom) Reported(l Line) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(i.message, "%d", "%s"), "%s") {
		if !strings.Contains(l.Message, part) {
			return false
		}
	}
	return l.Outcome == Changed
}

// Idioms returns the idioms that are translated. The guide contains them.
func Idioms() []Idiom {
	return []Idiom{
		{
			"Placeholders of cloud-init (`{{ ds.meta_data.… }}`), of afterburn (`$${COREOS_…}`) and `@@HOSTNAME@@` in " +
				"values", "`parts` with facts", factsInValues,
		},
		{"Placeholders of cloud-init in files", "`parts` with facts", factsInFiles},
		{
			"`{{ .controlPlane.version }}` in files with `contentFormat: Template`",
			"`parts` with the fact `controlPlaneVersion`", versionInFiles,
		},
		{"Placeholders in commands", "the command reads a file in `/etc/machineadm-facts`", factFile},
		{
			"`envsubst` and `sed` on the configuration of kubeadm", "removed, because facts need no replacement",
			configOfKubeadm,
		},
		{"`export` of variables of afterburn", "removed, because facts replace them", variablesOfAfterburn},
		{"`hostnamectl set-hostname` and others with the platform's host name", "removed", setsHostname},
		{
			"A test for `/run/kubeadm/kubeadm.yaml` or for `kubeadm init` in `/etc/kubeadm.sh`",
			"a test for `" + initMarker + "`, which exists on the machine that creates the cluster. Other machines have `" +
				joinMarker + "`", markers,
		},
		{
			"Commands after `export`, `cd` or another change of the shell",
			"one command that stops at the first failure, since each command has its own shell", oneCommand,
		},
		{
			"`[ … ] && …` at the end of a command", "`[ … ] && … || true`, since a command that fails stops the bootstrap",
			testIgnored,
		},
		{
			"`kubeadm.service` in a Container Linux Config",
			"a command that starts the units that its drop-ins require. The rest of the text is a snippet of the format " +
				"`ignition-v2`", unitOfKubeadm,
		},
		{"The manifest of kube-vip and its preparation", "`spec.controlPlane.virtualIP`", virtualIPInstead},
		{"Files in kubeadm's directory of patches", "`spec.node.patches`", kubeadmPatches},
		{
			"`node-labels`, `register-with-taints` and `container-runtime-endpoint` of kubelet",
			"`spec.node.labels`, `taints` and `criSocket`", labelsInstead,
		},
		{
			"Patches of a ClusterClass",
			"patches of the new paths. Lists and maps to which they add values are created in the templates", pathOfPatch,
		},
	}
}
