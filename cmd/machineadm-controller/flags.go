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

	leaderElect                              bool
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
	fs.Var(&o.controllers, "controllers", "Which controllers run: bootstrap, control-plane, hosts; separated by commas.")
	fs.BoolVar(&o.leaderElect, "leader-elect", false, "Run one of several managers at a time, elected by a lease.")
	fs.DurationVar(&o.leaseDuration, "leader-elect-lease-duration", 15*time.Second,
		"How long the others wait before they take over.")
	fs.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second,
		"How long the leader tries to renew before it gives up.")
	fs.DurationVar(&o.retryEvery, "leader-elect-retry-period", 2*time.Second, "How long to wait between two tries.")
	fs.StringVar(&o.namespace, "namespace", "", "Namespace to watch; all of them if empty.")
	fs.StringVar(&o.watchFilter, "watch-filter", "", "Value that the label "+clusterv1.WatchLabel+
		" must have; any object if empty.")
	fs.StringVar(&o.profilerAddress, "profiler-address", "",
		"Address of the pprof profiler, such as localhost:6060; none if empty.")
	fs.StringVar(&o.healthAddress, "health-addr", ":9440", "Address of the health endpoint.")
	fs.DurationVar(&o.syncPeriod, "sync-period", 10*time.Minute,
		"How often everything is looked at even if nothing has changed.")
	fs.IntVar(&o.concurrency, "machinebootstrapconfig-concurrency", 100, "Number of configs to work on at once.")
	fs.IntVar(&o.planeConcurrency, "machineadmcontrolplane-concurrency", 100,
		"Number of control planes to work on at once.")
	fs.IntVar(&o.pluginConcurrency, "plugin-concurrency", 20,
		"Number of resources to work on at once, of each of our own kinds of plugins.")
	fs.IntVar(&o.clusterConcurrency, "clustercache-concurrency", 100, "Number of clusters to connect to at once.")
	fs.Var(&o.payloadLimits, "payload-limit", "What a kind of infrastructure object takes as userdata, such as "+
		"ExampleMachine=64Ki, in place of what is "+
		"known of it; may be given several times.")
	fs.StringSliceVar(&o.identityNamespaces, "storage-identity-namespaces", nil,
		"Namespaces whose storages may use the controller's own identity with the "+
			"storage's server; * is all of them.")
	fs.StringSliceVar(&o.keyNamespaces, "kms-identity-namespaces", nil,
		"Namespaces whose configs may be encrypted with the controller's own identity with a key "+
			"management service; * is all of them.")
	fs.IntVar(&o.keyConcurrency, "kms-concurrency", keys.DefaultConcurrency,
		"Number of plugins for key management services that run at once.")
	fs.StringSliceVar(&o.storageEndpoints, "storage-endpoints", []string{egress.AWS},
		"Servers that storages may use: aws for "+
			"AWS's own, or [SCHEME://]HOST[:PORT], where HOST is a name, *.DOMAIN, *, an address or a network such as "+
			"10.0.0.0/8, PORT may be *, "+
			"and without them SCHEME is https and PORT its default. Private addresses are refused unless they or "+
			"the exact name are listed.")
	fs.StringSliceVar(&o.privateNetworks, "private-networks", nil,
		"Networks that storages reach only if --storage-endpoints lists them, besides those that are "+
			"private everywhere: the cluster's networks of pods and Services, if their addresses are public ones. "+
			"\"none\" is an empty list.")
	fs.DurationVar(&o.tokenTTL, "bootstrap-token-ttl", bootstrap.DefaultTokenTTL,
		"How long a bootstrap token lives unless it is extended.")
}

func (o *options) addClientFlags(fs *pflag.FlagSet) {
	fs.Float32Var(&o.qps, "kube-api-qps", 100, "Requests per second to the management cluster's API server.")
	fs.IntVar(&o.burst, "kube-api-burst", 200, "Requests to the management cluster's API server in one burst.")
	fs.Float32Var(&o.clusterQPS, "clustercache-client-qps", 100, "Requests per second to a workload cluster's API server.")
	fs.IntVar(&o.clusterBurst, "clustercache-client-burst", 200,
		"Requests to a workload cluster's API server in one burst.")
}
