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
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// day is what happened on a day, and what the manager needs after it.
type day struct {
	// Created machines were created. On each day but the first, as many were deleted.
	Created int
	// Renewed and Resigned are how often tokens were extended, and pools' data was replaced with newly signed URLs.
	Renewed, Resigned int
	// Heap and Objects are the live bytes and objects of the heap, after a garbage collection: the smallest of some
	// readings.
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
	if err := f.sampleHeap(ctx, d); err != nil {
		return err
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
	if err != nil {
		return err
	}
	d.Goroutines, err = number(goroutines, `^goroutine profile: total (\d+)`)
	return err
}

// heapReadings is how often the heap is read, and heapPause the time between two readings. The first collection of
// garbage runs finalizers, whose objects the second one collects.
const (
	heapReadings = 4
	heapPause    = time.Second
)

// sampleHeap reads the heap several times and uses the smallest numbers: what the manager leaves is in each reading,
// and what it uses at the moment is not.
func (f *fleet) sampleHeap(ctx context.Context, d *day) error {
	for i := range heapReadings {
		heap, err := f.profile(ctx, "heap?gc=1&debug=1")
		if err != nil {
			return err
		}
		size, err := number(heap, `# HeapAlloc = (\d+)`)
		objects, err2 := number(heap, `# HeapObjects = (\d+)`)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if i == 0 {
			d.Heap, d.Objects = size, objects
		}
		d.Heap, d.Objects = min(d.Heap, size), min(d.Objects, objects)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(heapPause):
		}
	}
	return nil
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
