module github.com/machineadm/machineadm/tools/cluster-api-1.12

go 1.26.0
