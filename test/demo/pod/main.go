//go:build linux

// Command pod is the program in the Pods of the demo's cluster. "pod network" connects the Pods of its node to those of
// the others, and "pod web" answers HTTP requests.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pod:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	node := os.Getenv("NODE_NAME")
	if len(args) != 1 || node == "" {
		return errors.New("usage: NODE_NAME=node pod network|web")
	}
	switch args[0] {
	case "network":
		c, err := inCluster(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
		if err != nil {
			return err
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		if err := installPlugins(filepath.Dir(program), pluginDirectory); err != nil {
			return err
		}
		connect(ctx, c, node)
		return nil
	case "web":
		return serve(ctx, node)
	default:
		return fmt.Errorf("%q is not network or web", args[0])
	}
}

// serve answers each request with the name of the node.
func serve(ctx context.Context, node string) error {
	server := &http.Server{
		Addr: ":8080", ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, "hello from a Pod on %s\n", node)
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
