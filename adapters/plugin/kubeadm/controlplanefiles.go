package kubeadm

import (
	"context"
	"path"
	"slices"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/manifest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// configFile is a configuration file of a component.
type configFile struct {
	// dir and name are its path; flag passes it to the component.
	dir, name, flag string
	content         []byte
	// field is where the user wrote it, below the control plane's path.
	field  []string
	secret bool
	want   manifest.Type
	// first is the first minor version of Kubernetes that reads it; 0 means all.
	first int
}

func (f configFile) path() string { return f.dir + "/" + f.name }

func (f configFile) at(p report.Path) report.Path {
	for _, name := range f.field {
		p = p.Field(name)
	}
	return p
}

const apiServerGroup = "apiserver.config.k8s.io/"

// apiServerFiles returns the API server's files that are given.
func apiServerFiles(a node.APIServer) []configFile {
	var policy []byte
	if a.Audit != nil {
		policy = a.Audit.Policy
	}
	files := []configFile{
		{
			name: "audit-policy.yaml", flag: "audit-policy-file", content: policy,
			field: []string{"apiServer", "audit", "policy"},
			want:  manifest.Type{APIVersions: []string{"audit.k8s.io/v1"}, Kind: "Policy"},
		},
		{
			name: "encryption.yaml", flag: "encryption-provider-config", content: a.EncryptionAtRest.Reveal(), secret: true,
			field: []string{"apiServer", "encryptionAtRest"},
			want:  manifest.Type{APIVersions: []string{apiServerGroup + "v1"}, Kind: "EncryptionConfiguration"},
		},
		{
			name: "authentication-webhook.conf", flag: "authentication-token-webhook-config-file",
			content: a.AuthenticationWebhook.Reveal(), secret: true, field: []string{"apiServer", "authenticationWebhook"},
			want: manifest.Type{APIVersions: []string{"v1"}, Kind: "Config"},
		},
		{
			name: "authentication.yaml", flag: "authentication-config", content: a.Authentication, first: firstStructured,
			field: []string{"apiServer", "authentication"},
			want: manifest.Type{
				APIVersions: []string{apiServerGroup + "v1beta1", apiServerGroup + "v1", apiServerGroup + "v1alpha1"},
				Kind:        "AuthenticationConfiguration",
			},
		},
		{
			name: "authorization.yaml", flag: "authorization-config", content: a.Authorization, first: firstStructured,
			field: []string{"apiServer", "authorization"},
			want: manifest.Type{
				APIVersions: []string{apiServerGroup + "v1beta1", apiServerGroup + "v1", apiServerGroup + "v1alpha1"},
				Kind:        "AuthorizationConfiguration",
			},
		},
		{
			name: "admission.yaml", flag: "admission-control-config-file", content: a.Admission,
			field: []string{"apiServer", "admission"},
			want: manifest.Type{
				APIVersions: []string{apiServerGroup + "v1", apiServerGroup + "v1alpha1"},
				Kind:        "AdmissionConfiguration",
			},
		},
	}
	for i := range files {
		files[i].dir = APIServerDir
	}
	return slices.DeleteFunc(files, func(f configFile) bool { return len(f.content) == 0 })
}

// schedulerFiles returns the scheduler's file if it is given.
func schedulerFiles(p node.ControlPlaneConfig) []configFile {
	if len(p.SchedulerConfig) == 0 {
		return nil
	}
	return []configFile{{
		dir: SchedulerDir, name: "config.yaml", flag: "config", content: p.SchedulerConfig,
		field: []string{"schedulerConfig"},
		want:  manifest.Type{APIVersions: []string{"kubescheduler.config.k8s.io/v1"}, Kind: "KubeSchedulerConfiguration"},
	}}
}

// mounted returns the arguments that pass the files, and the volume that shows their directory to the component. A
// directory, not the files one by one: the API server reloads some of them when they are replaced.
func mounted(files []configFile) settings {
	var s settings
	for _, f := range files {
		s.args = append(s.args, arg{Name: f.flag, Value: f.path()})
	}
	if len(files) > 0 {
		dir := files[0].dir
		s.volumes = []hostMount{{Name: "machineadm", HostPath: dir, MountPath: dir, ReadOnly: true, PathType: "Directory"}}
	}
	return s
}

func schedulerSettings(p node.ControlPlaneConfig) settings { return mounted(schedulerFiles(p)) }

func (j *job) apiServerSettings(a node.APIServer) settings {
	files := apiServerFiles(a)
	for _, f := range files {
		j.needs(f.first, f.at(j.controlPlaneSource), f.want.Kind)
	}
	s := mounted(files)
	if a.Audit == nil {
		return s
	}
	log := auditLog(*a.Audit)
	s.args = append(s.args, arg{"audit-log-path", log}, arg{"audit-log-maxage", number(a.Audit.MaxAgeDays, 30)},
		arg{"audit-log-maxbackup", number(a.Audit.MaxBackups, 10)}, arg{"audit-log-maxsize", number(a.Audit.MaxSizeMB, 100)})
	if log != "-" {
		dir := path.Dir(log)
		s.volumes = append(s.volumes, hostMount{
			Name: "machineadm-audit", HostPath: dir, MountPath: dir,
			PathType: "DirectoryOrCreate",
		})
	}
	return s
}

// auditLog returns the path of the audit log; a dash means the API server's standard output.
func auditLog(a node.Audit) string {
	if a.LogPath == "" {
		return defaultAuditLog
	}
	return a.LogPath
}

// expandControlPlane writes the configuration files of the components, which every control plane machine needs.
func expandControlPlane(ctx context.Context, p node.ControlPlaneConfig, e ports.Expansion) ([]action.Action,
	report.Report,
) {
	at := e.Document.Source.Path
	if expand.IsWindows(e.Target) {
		return nil, report.Report{onLinux(at)}
	}
	n, _, ok := document.First[node.NodeConfig](e.Others)
	if ok && !n.Role.IsControlPlane() {
		return nil, report.Report{report.Errorf(at, "a worker runs no control plane").To("leave it out")}
	}
	var actions []action.Action
	var r report.Report
	for _, f := range append(apiServerFiles(p.APIServer), schedulerFiles(p)...) {
		m, found := manifest.Read(ctx, f.at(at), f.content, f.want)
		r = append(r, found...)
		if f.dir == SchedulerDir {
			r = append(r, checkScheduler(f.at(at), m)...)
		}
		if apiVersion, ok := m.Field("apiVersion"); ok && f.first == firstStructured {
			r = append(r, node.CheckStructured(f.at(at), apiVersion, f.want.Kind, n.KubernetesVersion)...)
		}
		actions = append(actions, file(f.path(), document.Literal(f.content), f.secret))
	}
	if a := p.APIServer.Audit; a != nil {
		created, problems := auditDirectory(at.Field("apiServer").Field("audit").Field("logPath"), auditLog(*a))
		actions, r = append(actions, created...), append(r, problems...)
	}
	return actions, r
}

// auditDirectory creates the directory of the audit log, which only root may read.
func auditDirectory(p report.Path, log string) ([]action.Action, report.Report) {
	switch {
	case log == "-":
		return nil, nil
	case !path.IsAbs(log) || path.Clean(log) != log || path.Dir(log) == "/":
		return nil, report.Report{report.Errorf(p, "%q is not a file in a separate directory", log).
			To("write an absolute path such as %s, or a dash for the standard output", defaultAuditLog)}
	}
	return action.Of(action.MakeDirectory{Path: path.Dir(log), Mode: 0o700}), nil
}

// checkScheduler finds a configuration with which the scheduler would not find its cluster: with one it ignores the
// flag by which kubeadm names the kubeconfig.
func checkScheduler(at report.Path, config manifest.Manifest) report.Report {
	const kubeconfig = "/etc/kubernetes/scheduler.conf"
	if value, _ := config.Field("clientConnection", "kubeconfig"); value == "" {
		return report.Report{report.Errorf(at, "it does not set the scheduler's kubeconfig").
			To("write clientConnection.kubeconfig: %s", kubeconfig)}
	}
	return nil
}
