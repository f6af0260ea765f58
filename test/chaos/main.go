// Command chaos creates the bootstrap data of many machines while managers are killed, two replicas fail over, the API
// server is restarted, and a proxy injects conflicts, time-outs, lost answers, 429s and cut watches. Afterwards it
// checks by the objects and the audit log that each machine got exactly one Secret that never changed and one token,
// and that each cluster is initialized exactly once.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/page"
)

func main() {
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var s settings
	flag.IntVar(&s.machines, "n", 2000, "how many machines")
	flag.IntVar(&s.clusters, "clusters", 20, "over how many clusters")
	flag.IntVar(&s.kills, "kills", 50, "how often a manager is killed")
	flag.IntVar(&s.restarts, "restarts", 5, "how often the API server is restarted")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the faults")
	document := flag.String("page", "", "document whose section chaos the table replaces")
	flag.Parse()
	if err := report(ctx, s, *document); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

func report(ctx context.Context, s settings, document string) error {
	dir, err := os.MkdirTemp("", "machineadm-chaos-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r, err := run(ctx, dir, s)
	if err != nil {
		return err
	}
	text := r.table()
	fmt.Print(text)
	if document != "" {
		err = page.Write(document, "chaos", text)
	}
	if len(r.found.violations) > 0 {
		err = errors.Join(err, fmt.Errorf("%d violations:\n%s", len(r.found.violations),
			strings.Join(r.found.violations, "\n")))
	}
	return err
}

// table returns the result as a table of Markdown.
func (r result) table() string {
	var b strings.Builder
	row := func(what string, n int) { fmt.Fprintf(&b, "| %s | %d |\n", what, n) }
	b.WriteString("| what happened | times |\n|---|---|\n")
	row("a manager was killed, and the other replica took over", r.killed)
	row("a manager ended because it lost its lease, and was started again", r.ended)
	row("the API server was restarted", r.restarts)
	row("the API server created a Secret and stopped before it answered", r.found.unanswered)
	for _, f := range faults() {
		row("injected "+string(f), r.injected[f])
	}
	b.WriteString("\n| what must hold | want | got |\n|---|---|---|\n")
	joins := r.machines - r.clusters
	for _, i := range []struct {
		what      string
		want, got int
	}{
		{"machines with a Secret", r.machines, r.found.secrets},
		{"Secrets that one request created", r.machines, r.found.created + r.found.unanswered},
		{"changes and deletions of Secrets", 0, r.found.changed},
		{"tokens, of the machines that join", joins, r.found.tokens},
		{"machines that initialize a cluster", r.clusters, r.found.inits},
		{"violations of a single machine or cluster", 0, len(r.found.violations)},
	} {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", i.what, i.want, i.got)
	}
	return b.String()
}
