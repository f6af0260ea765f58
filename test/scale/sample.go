package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// day is what happened on a day, and what the manager needs after it.
type day struct {
	// Created machines were created. On each day but the first, as many were deleted.
	Created int
	// Renewed and Resigned are how often tokens were extended, and pools' data was replaced with newly signed URLs.
	Renewed, Resigned int
	// Heap and Objects are the live bytes and objects of the heap, after a garbage collection.
	Heap, Objects int64
	Goroutines    int64
	// Series are the manager's series of metrics.
	Series int64
	// Secrets and Tokens are the Secrets in the namespace of the machines, and in that of tokens. How many tokens have not
	// expired yet depends on the time.
	Secrets, Tokens int
}

// sample reads what the manager needs from its profiler and its metrics.
func (f *fleet) sample(ctx context.Context, d *day) error {
	var heap []byte
	for range 2 { // The first collection runs finalizers, whose objects the second one collects.
		var err error
		if heap, err = f.profile(ctx, "heap?gc=1&debug=1"); err != nil {
			return err
		}
	}
	goroutines, err := f.profile(ctx, "goroutine?debug=1")
	if err != nil {
		return err
	}
	metrics, err := f.manager.Metrics(ctx)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(metrics)) {
		if !strings.HasPrefix(line, "#") {
			d.Series++
		}
	}
	secrets, err := f.names(ctx, "Secret", namespace)
	if err != nil {
		return err
	}
	tokens, err := f.names(ctx, "Secret", metav1.NamespaceSystem)
	d.Secrets, d.Tokens = len(secrets), len(tokens)
	var errs [3]error
	d.Heap, errs[0] = number(heap, `# HeapAlloc = (\d+)`)
	d.Objects, errs[1] = number(heap, `# HeapObjects = (\d+)`)
	d.Goroutines, errs[2] = number(goroutines, `^goroutine profile: total (\d+)`)
	return errors.Join(append(errs[:], err)...)
}

// profile returns a profile of the manager, as text.
func (f *fleet) profile(ctx context.Context, name string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+f.profiler+"/debug/pprof/"+name, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	return io.ReadAll(response.Body)
}

// number returns the number that the pattern finds.
func number(text []byte, pattern string) (int64, error) {
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("the profile does not contain %s", pattern)
	}
	return strconv.ParseInt(string(found[1]), 10, 64)
}
