package main

import (
	"flag"
	"time"

	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	logsv1 "k8s.io/component-base/logs/api/v1"
	logsjson "k8s.io/component-base/logs/json"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/flags"

	"github.com/machineadm/machineadm/adapters/pluginhost/keys"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/egress"
)

// options are the flags. Their names and defaults are those of Cluster API's own managers, with one exception: the
// client of a workload cluster may ask as often as that of the management cluster, since each worker's token is made
// there.
type options struct {
	logs    *logs.Options
	manager flags.ManagerOptions

	leaderElect, version                     bool
	leaseDuration, renewDeadline, retryEvery time.Duration

	namespace, watchFilter string
	profilerAddress        string
	healthAddress          string
	syncPeriod             time.Duration
	qps, clusterQPS        float32
	burst, clusterBurst    int
	concurrency            int
	planeConcurrency       int
	clusterConcurrency     int
	pluginConcurrency      int
	tokenTTL               time.Duration
	payloadLimits          limits
	identityNamespaces     []string
	keyNamespaces          []string
	keyConcurrency         int
	storageEndpoints       []string
	privateNetworks        []string
	endpoint               endpointOptions
	controllers            controllers
	hosts                  hostOptions
	// egress is what storageEndpoints and privateNetworks allow.
	egress egress.Policy
}

// registerFormats makes the format json of --logging-format known. The registry belongs to the process, so a second
// call is an error.
func registerFormats() error {
	return logsv1.RegisterLogFormat(logsv1.JSONLogFormat, logsjson.Factory{}, logsv1.LoggingBetaOptions)
}

// newOptions returns the options with their defaults, and the flags that change them.
func newOptions() (*options, *pflag.FlagSet, error) {
	o := &options{logs: logs.NewOptions(), controllers: controllers{bootstrapControllers}}
	fs := pflag.NewFlagSet("machineadm-controller", pflag.ContinueOnError)
	fs.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	logsv1.AddFlags(o.logs, fs)
	o.addManagerFlags(fs)
	o.addClientFlags(fs)
	o.endpoint.addFlags(fs)
	o.hosts.addFlags(fs)
	flags.AddManagerOptions(fs, &o.manager)
	fs.AddGoFlagSet(flag.CommandLine)
	return o, fs, fs.Set("v", "2")
}

func parse(args []string) (*options, error) {
	o, fs, err := newOptions()
	if err != nil {
		return nil, err
	}
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if err := o.readEgress(); err != nil {
		return o, err
	}
	return o, o.endpoint.check()
}

func (o *options) addManagerFlags(fs *pflag.FlagSet) {
	fs.Var(&o.controllers, "controllers",
		"Controllers to run, separated by commas: bootstrap, control-plane, hosts.")
	fs.BoolVar(&o.leaderElect, "leader-elect", false,
		"Enable leader election, so that only one of several managers is active.")
	fs.DurationVar(&o.leaseDuration, "leader-elect-lease-duration", 15*time.Second,
		"Duration that the other managers wait after the last renewal of the lease before they try to become leader.")
	fs.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second,
		"Duration that the leader retries to renew its lease before it stops.")
	fs.DurationVar(&o.retryEvery, "leader-elect-retry-period", 2*time.Second,
		"Duration between attempts to acquire or renew the lease.")
	fs.BoolVar(&o.version, "version", false,
		"Print the version, and in a FIPS release the cryptographic module, and exit.")
	fs.StringVar(&o.namespace, "namespace", "", "Namespace to watch. If it is empty, all namespaces are watched.")
	fs.StringVar(&o.watchFilter, "watch-filter", "", "Value of the label "+clusterv1.WatchLabel+" of the objects to "+
		"reconcile. If it is empty, all objects are reconciled.")
	fs.StringVar(&o.profilerAddress, "profiler-address", "",
		"Address of the pprof profiler, such as localhost:6060. If it is empty, there is no profiler.")
	fs.StringVar(&o.healthAddress, "health-addr", ":9440", "Address of the health endpoint.")
	fs.DurationVar(&o.syncPeriod, "sync-period", 10*time.Minute,
		"Interval at which all objects are reconciled even if they have not changed.")
	fs.IntVar(&o.concurrency, "machinebootstrapconfig-concurrency", 100,
		"Number of MachineBootstrapConfigs to reconcile at once.")
	fs.IntVar(&o.planeConcurrency, "machineadmcontrolplane-concurrency", 100,
		"Number of MachineadmControlPlanes to reconcile at once.")
	fs.IntVar(&o.pluginConcurrency, "plugin-concurrency", 20,
		"Number of plugins of each of machineadm's own kinds to reconcile at once.")
	fs.IntVar(&o.clusterConcurrency, "clustercache-concurrency", 100, "Number of workload clusters to connect to at once.")
	fs.Var(&o.payloadLimits, "payload-limit", "Maximum size of userdata for a kind of infrastructure machine, such as "+
		"ExampleMachine=64Ki. It replaces the size that is known for the kind. The flag can be repeated.")
	fs.StringSliceVar(&o.identityNamespaces, "storage-identity-namespaces", nil,
		"Namespaces whose storages may use the identity of the controller for their server; * is all namespaces, "+
			"and \"none\" is an empty list.")
	fs.StringSliceVar(&o.keyNamespaces, "kms-identity-namespaces", nil,
		"Namespaces whose configs may use the identity of the controller for a key management service; * is all "+
			"namespaces, and \"none\" is an empty list.")
	fs.IntVar(&o.keyConcurrency, "kms-concurrency", keys.DefaultConcurrency,
		"Number of plugins for key management services that run at once.")
	fs.StringSliceVar(&o.storageEndpoints, "storage-endpoints", []string{egress.AWS},
		"Servers that storages may use: aws for the servers of AWS, or [SCHEME://]HOST[:PORT]. HOST is a name, "+
			"*.DOMAIN, *, an address, or a network such as 10.0.0.0/8. PORT can be *. The default SCHEME is https, and "+
			"the default PORT is that of the scheme. Private addresses are refused unless the list contains them or the "+
			"exact name of the server.")
	fs.StringSliceVar(&o.privateNetworks, "private-networks", nil,
		"Additional networks that are treated as private, so that storages reach them only if "+
			"--storage-endpoints contains them. List the networks of Pods and Services if their addresses are public. "+
			"\"none\" is an empty list.")
	fs.DurationVar(&o.tokenTTL, "bootstrap-token-ttl", bootstrap.DefaultTokenTTL,
		"Lifetime of bootstrap tokens. The controller extends it until the machine has joined.")
}

func (o *options) addClientFlags(fs *pflag.FlagSet) {
	fs.Float32Var(&o.qps, "kube-api-qps", 100, "Maximum requests per second to the API server of the management cluster.")
	fs.IntVar(&o.burst, "kube-api-burst", 500,
		"Maximum burst of requests to the API server of the management cluster.")
	fs.Float32Var(&o.clusterQPS, "clustercache-client-qps", 100,
		"Maximum requests per second to the API server of a workload cluster.")
	fs.IntVar(&o.clusterBurst, "clustercache-client-burst", 500,
		"Maximum burst of requests to the API server of a workload cluster.")
}
