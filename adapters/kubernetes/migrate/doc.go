// Package migrate converts published manifests of Cluster API's kubeadm provider and of Talos' bootstrap provider to
// machineadm's. It reads YAML text and returns YAML text; no cluster is involved.
//
// The input is any number of YAML documents. KubeadmConfigs, KubeadmControlPlanes, TalosConfigTemplates and their
// templates are converted, in v1beta1 and v1beta2. The references to them in Clusters, ClusterClasses, Machines and
// their sets, deployments and pools are rewritten. All other documents are copied byte for byte.
//
// The conversion works on the nodes of the YAML text and not on Go types. This keeps comments, and the variables of
// clusterctl, such as ${REPLICAS:=3}, in places where the API has numbers or booleans. A rule consumes the values of
// the input that it converts or reports. A value that no rule consumes is reported as not known, so nothing is lost
// silently.
//
//	result, err := migrate.Convert(ctx, text, migrate.Options{OS: migrate.ParseOS("ubuntu:24.04")})
//	// result.Manifests is YAML; result.Report has a Line with Outcome Changed, Decision, NoCounterpart or Note.
package migrate
