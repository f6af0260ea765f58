// Command machineadm-controller contains three Cluster API providers: the bootstrap provider, which renders
// MachineBootstrapConfigs into the data Secrets with which machines boot, the control plane provider, and the
// infrastructure provider for hosts. The flag --controllers selects them.
package main

import (
	"context"
	"crypto/fips140"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	logsv1 "k8s.io/component-base/logs/api/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/cmd/internal/build"
)

func main() {
	if code, requested := runMachine(os.Args); requested {
		os.Exit(code)
	}
	ctx := ctrl.SetupSignalHandler()
	go collectGarbageEarly(ctx, os.Getenv("GOGC"))
	_ = dropProgramPages()
	err := registerFormats()
	if err == nil {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "machineadm-controller: %v\n", err)
		os.Exit(1)
	}
}

// run reads the flags and runs the manager until the context ends.
func run(ctx context.Context, args []string) error {
	built, err := build.Read()
	if err != nil {
		return err
	}
	o, err := parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.version {
		_, err := fmt.Fprintln(os.Stdout, built)
		return err
	}
	if err := logsv1.ValidateAndApply(o.logs, nil); err != nil {
		return fmt.Errorf("set up logging: %w", err)
	}
	ctrl.SetLogger(withoutQueues(klog.Background()))
	mgr, err := newManager(o)
	if err != nil {
		return err
	}
	if err := setup(ctx, mgr, o); err != nil {
		return err
	}
	if err := mgr.Add(dropStartPages{cache: mgr.GetCache()}); err != nil {
		return fmt.Errorf("set up the manager: %w", err)
	}
	klog.Background().Info("Starting manager", "version", built.Version, "fipsModule", built.FIPSModule,
		"fipsMode", fips140.Enabled())
	if err := mgr.Start(ctx); err != nil {
		return fmt.Errorf("run the manager: %w", err)
	}
	return nil
}
