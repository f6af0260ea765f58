package cloudinit

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/machinescript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// packedPath is the file with the compressed bootstrap program in base64. Its directory exists on every machine, since
// one of the providers copies files with scp, and only root can enter it.
const packedPath = "/root/machineadm-bootstrap"

// unpack is the command that installs and starts the bootstrap program. It has neither quotes nor variables, and is one
// line: providers insert it into scripts and pass it to other shells.
const unpack = "umask 77&&mkdir -p /etc/machineadm&&base64 -d " + packedPath + "|gzip -d >" + bootscript.Path +
	"&&rm " + packedPath + "&&sh " + bootscript.Path + " </dev/null"

// perBootPath is a script that cloud-init starts at each boot, before runcmd. Source: cloud-init's documentation,
// module scripts_per_boot.
const perBootPath = "/var/lib/cloud/scripts/per-boot/machineadm"

// minimal renders the plan in the minimal dialect (delivery.CloudConfig.Minimal).
func minimal(ctx context.Context, p plan.Plan, s snippet) (ports.Rendering, report.Report, error) {
	fact := factsOf(p.Target.Platform)
	if p.CloudConfig.WithoutCloudInit {
		fact = bootscript.SystemFact
	}
	script, findings, err := machinescript.Render(ctx, p, fact)
	if err != nil || findings.HasErrors() {
		return ports.Rendering{}, findings, err
	}
	packed := base64.StdEncoding.EncodeToString(compress(script.Program))
	w := yamlenc.New(len(packed) + len(s.rest) + 1024)
	w.Comment("cloud-config")
	w.Indent(2)
	w.List("write_files")
	if !p.CloudConfig.WithoutCloudInit {
		encodeSimple(w, perBootPath, "0700", "#!/bin/sh\n"+interrupted+"\n")
	}
	if path, content := marker(p); path != "" {
		encodeSimple(w, path, "0600", content)
	}
	w.RawItems(s.lists["write_files"])
	encodeSimple(w, packedPath, "0600", packed)
	w.List("runcmd")
	w.String(unpack)
	w.RawItems(s.lists["runcmd"])
	for _, key := range []string{"bootcmd", "groups", "users"} {
		if items := s.lists[key]; len(items) > 0 {
			w.List(key)
			w.RawItems(items)
		}
	}
	w.Raw(s.rest)
	return ports.Rendering{Payload: payload(w.Bytes()), Places: script.Places}, findings, nil
}

// encodeSimple writes an entry of write_files that belongs to root. The content is ASCII text.
func encodeSimple(w *yamlenc.Writer, path, permissions, content string) {
	w.Item()
	w.Field("path", path)
	w.Field("owner", "root:root")
	w.Field("permissions", permissions)
	if strings.HasSuffix(content, "\n") {
		w.Literal("content", []byte(content))
		return
	}
	w.Field("content", content)
}

// marker returns the file that the provider waits for. Its content also names kubeadm's command, by which the provider
// recognizes machines that join.
func marker(p plan.Plan) (path, content string) {
	if p.Initializes {
		return p.CloudConfig.InitFile, "# The bootstrap program of machineadm runs kubeadm init.\n"
	}
	return p.CloudConfig.JoinFile, "# The bootstrap program of machineadm runs kubeadm join.\n"
}

// simple reports whether the provider's own parser reads the items of a snippet's list as cloud-init does. It refuses
// others.
func (r *reader) simple(key string, list *yaml.Node) bool {
	ok := true
	for _, item := range list.Content {
		switch {
		case key == "runcmd" && (item.Kind != yaml.ScalarNode || item.Tag != "!!str" || strings.Contains(item.Value, "\n")):
			r.refuse(item, "the machine's infrastructure provider reads only commands that are strings of one line")
			ok = false
		case key == "write_files" && !isSimpleFile(item):
			r.refuse(item, "the machine's infrastructure provider reads only path, owner, permissions and content of a file")
			ok = false
		}
	}
	return ok
}

func isSimpleFile(item *yaml.Node) bool {
	for i := 0; i < len(item.Content); i += 2 {
		if !slices.Contains([]string{"path", "owner", "permissions", "content"}, item.Content[i].Value) {
			return false
		}
	}
	return item.Kind == yaml.MappingNode
}
