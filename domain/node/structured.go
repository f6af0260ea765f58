package node

import "github.com/machineadm/machineadm/domain/report"

// CheckStructured returns an error finding at p if the API server of the version does not read the manifest of
// structured authentication or authorization, because its API version is v1 (k8s.io/apiserver:
// pkg/apis/apiserver/v1/register.go of 1.31, 1.32, 1.33 and 1.34). An unknown version finds nothing.
func CheckStructured(p report.Path, apiVersion, kind, kubernetesVersion string) report.Report {
	first := map[string]int{"AuthorizationConfiguration": 32, "AuthenticationConfiguration": 34}[kind]
	version, known := ParseVersion(kubernetesVersion)
	if apiVersion != "apiserver.config.k8s.io/v1" || !known || version.Minor >= first {
		return nil
	}
	return report.Report{report.Errorf(p, "the API server of Kubernetes 1.%d does not read %s of %s", version.Minor, kind,
		apiVersion).To("use apiserver.config.k8s.io/v1beta1, or Kubernetes 1.%d or newer", first)}
}
