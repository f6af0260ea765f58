package main

import (
	"log"
	"os"
	"testing"

	logsv1 "k8s.io/component-base/logs/api/v1"

	"github.com/machineadm/machineadm/test/flagpage"
)

// TestMain makes the formats of logs known, as main does. They must be known before the first flags are read.
func TestMain(m *testing.M) {
	if err := registerFormats(); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}

// TestLoggingFormats checks the formats of logs. The core provider has the same ones.
func TestLoggingFormats(t *testing.T) {
	for format, known := range map[string]bool{"text": true, "json": true, "xml": false} {
		o, err := parse([]string{"--logging-format=" + format})
		if err != nil {
			t.Fatal(err)
		}
		if errs := logsv1.Validate(o.logs, nil, nil); (len(errs) == 0) != known {
			t.Errorf("%s: %v", format, errs)
		}
	}
}

// TestFlagsAreDocumented compares the page of the flags with their definitions.
func TestFlagsAreDocumented(t *testing.T) {
	_, fs, err := newOptions()
	if err != nil {
		t.Fatal(err)
	}
	flagpage.Check(t, "machineadm-controller", "The managers of the three providers are the same program; "+
		"`--controllers` selects the controllers, and each Deployment sets it.\n\n"+flagpage.Flags(fs))
}
