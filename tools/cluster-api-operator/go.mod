// The CRDs of the Cluster API Operator, which tests apply. No program is built from it.
module github.com/machineadm/machineadm/tools/cluster-api-operator

go 1.26.0

require sigs.k8s.io/cluster-api-operator v0.29.0
