package status

import (
	"fmt"
	"strings"
)

// lineTail limits the line of the output that becomes part of the cause, in bytes.
const lineTail = 300

// Suffix returns at most n bytes from the end of the text, without a partial character.
func Suffix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-n:], "")
}

// FailureLine returns the line of a failed command's output that contains the reason: the first failed check of
// kubeadm, with a remedy if one is known, or else the last line that begins with "error:", or else the last line. The
// last lines of kubeadm are only a hint for debugging.
func FailureLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	checks := linesWithPrefix(lines, "[ERROR ")
	switch errs := linesWithPrefix(lines, "error: "); {
	case len(checks) > 1:
		return shortCheck(checks[0]) + fmt.Sprintf(" (and %d more)", len(checks)-1) + checkRemedy(checks[0])
	case len(checks) == 1:
		return shortCheck(checks[0]) + checkRemedy(checks[0])
	case len(errs) > 0:
		return Suffix(errs[len(errs)-1], lineTail)
	default:
		return Suffix(lines[len(lines)-1], lineTail)
	}
}

// shortCheck returns the name of a failed check and the end of its message, in at most lineTail bytes.
func shortCheck(line string) string {
	name, message, found := strings.Cut(line, "]: ")
	rest := lineTail - len(name) - len("]: …")
	if len(line) <= lineTail || !found || rest <= 0 {
		return Suffix(line, lineTail)
	}
	return name + "]: …" + Suffix(message, rest)
}

// checkRemedy returns the remedy for a failed check of kubeadm whose message names none, or nothing for other checks.
func checkRemedy(line string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "[ERROR "), "]")
	switch name {
	case "CRI":
		return "; use an image with a container runtime, or install one with spec.machine.kubernetes.provision: Package"
	case "ImagePull":
		return "; check the version, spec.controlPlane.imageRepository and spec.machine.containerd.registries"
	default:
		return ""
	}
}

// linesWithPrefix returns the lines with the prefix, without surrounding white space.
func linesWithPrefix(lines []string, prefix string) []string {
	var found []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, prefix) {
			found = append(found, l)
		}
	}
	return found
}
