// Command scale runs this project's manager and the kubeadm provider's, which create the bootstrap data of many
// workers, one manager after the other, against the same real API server. It reports the speed of each, its requests to
// the API server for each worker, counted by identity in the audit log, and its memory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/page"
)

// settings are the flags.
type settings struct {
	workers   int
	clusters  int
	rounds    int
	providers []string
	limits    []string
	output    string
	// days is how many days a fleet of that many workers runs; 0 compares managers. share is which part of the workers a
	// day's rollout replaces, in percent. A day ends when each token, which lives for tokenTTL, has had so many renewals.
	days, share, renewals int
	tokenTTL              time.Duration
	// rest is how long nothing happens before the two samples that are compared.
	rest time.Duration
	// page is the document whose section the tables replace, or empty.
	page, section string
}

func main() {
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func parse() settings {
	n := flag.Int("n", 500, "how many workers")
	clusters := flag.Int("clusters", 1, "over how many clusters the workers are distributed")
	document := flag.String("page", "", "document whose section the tables replace")
	section := flag.String("section", "providers", "the section of the document")
	providers := flag.String("providers", machineadmName+","+kubeadmName, "which managers, in this order")
	limits := flag.String("limits", limitsDefault+","+limitsLifted, "at which client rate limits")
	rounds := flag.Int("rounds", 1, "how often each is run; with several the ratios and their median are printed")
	days := flag.Int("days", 0, "how many days the fleet runs and is maintained, in place of a comparison")
	share := flag.Int("share", 20, "how many percent of the workers each of these days replaces")
	renewals := flag.Int("renewals", 3, "how often each token is renewed on one of these days")
	tokenTTL := flag.Duration("token-ttl", 30*time.Second, "how long a bootstrap token lives during these days")
	rest := flag.Duration("rest", 13*time.Minute, "how long nothing happens after the second day and after the last one: "+
		"client-go keeps an event for 6 to 12 minutes, which is little of a real day")
	out := flag.String("o", "", "json prints JSON in place of a table")
	flag.Parse()
	return settings{
		workers: *n, clusters: *clusters, rounds: *rounds, providers: strings.Split(*providers, ","),
		limits: strings.Split(*limits, ","), output: *out, page: *document, section: *section,
		days: *days, share: *share, renewals: *renewals, tokenTTL: *tokenTTL, rest: *rest,
	}
}

func run(ctx context.Context, s settings) error {
	fmt.Fprintln(os.Stderr, "starting etcd and kube-apiserver (built first if they are not there yet)")
	if s.days > 0 {
		return with(ctx, func(c *controlplane.ControlPlane) error { return runDays(ctx, c, s) })
	}
	results, err := rounds(max(s.rounds, 1), func() ([]result, error) { return compare(ctx, s) }, s.write)
	return errors.Join(err, s.print(results))
}

// with runs the function with a new control plane that has the kinds of Cluster API.
func with(ctx context.Context, f func(c *controlplane.ControlPlane) error) (err error) {
	dir, err := os.MkdirTemp("", "machineadm-scale-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	if err := c.InstallCoreCRDs(ctx, controlplane.Core114()); err != nil {
		return err
	}
	return f(c)
}

// rounds returns all results. It writes them after each round, so that a later one that fails does not lose them.
func rounds(n int, round func() ([]result, error), write func(text string) error) (results []result, err error) {
	for i := range n {
		more, err := round()
		results = append(results, more...)
		if err != nil {
			return results, fmt.Errorf("round %d: %w", i+1, err)
		}
		if err := write(table(results)); err != nil {
			return results, err
		}
	}
	return results, nil
}

// print prints the results.
func (s settings) print(results []result) error {
	if s.output == "json" {
		return printJSON(os.Stdout, results)
	}
	_, err := fmt.Print(table(results))
	return err
}

// write writes the tables to the document if there is one.
func (s settings) write(text string) error {
	if s.page == "" {
		return nil
	}
	return page.Write(s.page, s.section, fmt.Sprintf("Measured on %d processors.\n\n%s", runtime.NumCPU(), text))
}

// compare runs each provider at each limit, once. Each has a new control plane: the caches of an API server keep what
// was deleted for some minutes, and collecting their garbage takes up to half of its processor time. With an error it
// returns the results before it.
func compare(ctx context.Context, s settings) (results []result, err error) {
	for _, limits := range s.limits {
		for _, name := range s.providers {
			fmt.Fprintf(os.Stderr, "%d workers by %s, limits %s\n", s.workers, name, limits)
			var r result
			err := with(ctx, func(c *controlplane.ControlPlane) error {
				p, err := newProvider(ctx, c, name)
				if err != nil {
					return err
				}
				r, err = measure(ctx, c, p, limits, s)
				return err
			})
			if err != nil {
				return results, fmt.Errorf("%s, limits %s: %w", name, limits, err)
			}
			fmt.Fprintf(os.Stderr, "%.1f s, %.2f requests per worker, peak memory %d MiB\n", r.Seconds, r.perWorker(),
				r.Memory.Peak>>20)
			results = append(results, r)
		}
	}
	return results, nil
}
