package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/machineadm/machineadm/adapters/endpoint"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/ports"
)

// The files of the endpoint's certificate, as a Secret of the type kubernetes.io/tls is mounted.
const (
	certificateFile = "tls.crt"
	keyFile         = "tls.key"
	authorityFile   = "ca.crt"
)

// endpointOptions are the flags of the server for machines.
type endpointOptions struct {
	address, url, certificates, authorities, agents string
	perSource                                       int
}

func (o *endpointOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.address, "machine-endpoint-bind-address", "",
		"Address on which the machine endpoint, an HTTPS server for machines, listens, such as :9444. If it is "+
			"empty, there is no endpoint.")
	fs.StringVar(&o.url, "machine-endpoint-url", "",
		"URL with which machines connect to the machine endpoint, such as https://machineadm.example:9444.")
	fs.StringVar(&o.certificates, "machine-endpoint-cert-dir", "/etc/machineadm/endpoint",
		"Directory with tls.crt and tls.key of the machine endpoint.")
	fs.StringVar(&o.authorities, "machine-endpoint-ca-file", "", "File with the CA certificates that machines "+
		"trust for the machine endpoint. The default is ca.crt beside tls.crt. If neither exists, machines use the trust "+
		"store of their image.")
	fs.IntVar(&o.perSource, "machine-endpoint-connections-per-source", endpoint.DefaultPerSource,
		"Maximum number of concurrent connections to the machine endpoint from one source.")
	fs.StringVar(&o.agents, "agent-dir", "",
		"Directory with files such as machineadm-linux-amd64, which the machine endpoint serves. If it is empty, it "+
			"serves no files.")
}

// check finds flags that do not go together.
func (o *endpointOptions) check() error {
	switch {
	case o.url != "" && !strings.HasPrefix(o.url, "https://"):
		return fmt.Errorf("--machine-endpoint-url: %q does not begin with https://", o.url)
	case o.agents != "" && o.address == "":
		return errors.New("--agent-dir requires --machine-endpoint-bind-address, which serves it")
	case o.address != "" && o.url == "":
		return errors.New("--machine-endpoint-url: machines need to know how they reach the server")
	case o.perSource < 1:
		return errors.New("--machine-endpoint-connections-per-source: must be at least 1")
	}
	return nil
}

// hasAgent returns the endpoint's address and authorities for machines. The authorities are read again each time, since
// they may be replaced.
func (o *endpointOptions) hasAgent(agents *endpoint.Agents) func() (bootstrap.Endpoint, error) {
	return func() (bootstrap.Endpoint, error) {
		e := bootstrap.Endpoint{URL: o.url}
		if o.url == "" {
			return e, nil
		}
		if agents != nil {
			e.Agent = agents.Current
		}
		path := o.authorities
		if path == "" {
			path = filepath.Join(o.certificates, authorityFile)
		}
		text, err := os.ReadFile(path)
		if err != nil && (o.authorities != "" || !errors.Is(err, fs.ErrNotExist)) {
			return e, fmt.Errorf("read the authorities of the endpoint: %w", err)
		}
		e.Authorities = string(text)
		return e, nil
	}
}

// readAgents returns the agents to serve, or nil if there are none.
func (o *endpointOptions) readAgents() (*endpoint.Agents, error) {
	if o.agents == "" {
		return nil, nil
	}
	return endpoint.ReadAgents(o.agents)
}

// setupEndpoint adds the server to the manager, if there is to be one. Every replica serves.
func setupEndpoint(ctx context.Context, mgr ctrl.Manager, o *endpointOptions, agents *endpoint.Agents,
	stored ports.SignedObjects,
) error {
	if o.address == "" {
		return nil
	}
	if err := watch(ctx, mgr); err != nil {
		return err
	}
	certificate, err := certwatcher.New(filepath.Join(o.certificates, certificateFile),
		filepath.Join(o.certificates, keyFile))
	if err != nil {
		return fmt.Errorf("read the certificate of the endpoint: %w", err)
	}
	counted, err := endpoint.NewMetrics(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	service := reports.New(reports.Dependencies{
		Reports: capi.NewReports(mgr.GetClient(), mgr.GetCache(), mgr.GetAPIReader()),
		Reader:  record.Codec{}, Clock: clock{},
	})
	server, err := endpoint.New(endpoint.Options{
		Address: o.address, Certificate: certificate.GetCertificate, Reports: service, Agents: agents, Objects: stored,
		Metrics: counted, Clock: clock{}, PerSource: o.perSource,
		Log: slog.New(logr.ToSlogHandler(klog.Background().WithName("endpoint"))),
	})
	if err != nil {
		return err
	}
	if err := errors.Join(mgr.Add(certificate), mgr.Add(server)); err != nil {
		return fmt.Errorf("add the endpoint: %w", err)
	}
	return mgr.AddReadyzCheck("machine-endpoint", func(*http.Request) error {
		_, err := certificate.GetCertificate(nil)
		return err
	})
}

// watch has the cache know, also on a replica that does not lead, what the endpoint asks it for.
func watch(ctx context.Context, mgr ctrl.Manager) error {
	meta := &metav1.PartialObjectMetadata{}
	meta.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	for _, o := range []client.Object{meta, &v1alpha1.MachineBootstrapConfig{}} {
		if _, err := mgr.GetCache().GetInformer(ctx, o, cache.BlockUntilSynced(false)); err != nil {
			return fmt.Errorf("watch for the endpoint: %w", err)
		}
	}
	return nil
}
