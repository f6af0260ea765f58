package controller_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

func messageOf(c *v1alpha1.MachineBootstrapConfig, condition string) string {
	if found := meta.FindStatusCondition(c.Status.Conditions, condition); found != nil {
		return found.Message
	}
	return ""
}

// change changes the spec, as the API server does.
func (w *world) change(edit func(*v1alpha1.MachineBootstrapConfigSpec)) {
	w.t.Helper()
	config := &v1alpha1.MachineBootstrapConfig{}
	key := client.ObjectKey{Namespace: "default", Name: "m1"}
	if err := w.client.Get(w.t.Context(), key, config); err != nil {
		w.t.Fatal(err)
	}
	edit(&config.Spec)
	config.Generation++
	if err := w.client.Update(w.t.Context(), config); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) emitted() []string {
	var all []string
	for len(w.events.Events) > 0 {
		all = append(all, <-w.events.Events)
	}
	return all
}

func TestChangeAfterPublicationIsReported(t *testing.T) {
	w := newWorld(t, nil)
	if c := w.reconcile(); conditions(c)["UpToDate"] != "" {
		t.Errorf("conditions %v before the change", conditions(c))
	}
	w.emitted()
	w.change(func(s *v1alpha1.MachineBootstrapConfigSpec) {
		s.OS.Distribution, s.Machine = "debian", &v1alpha1.MachineSpec{}
	})
	w.reconcile()
	changed := w.reconcile()
	if got := conditions(changed); got["UpToDate"] != "False SpecChanged" || got["Ready"] != "True Ready" {
		t.Errorf("conditions %v", got)
	}
	message := messageOf(changed, "UpToDate")
	for _, want := range []string{"spec.os, spec.machine: ", "the published data stays", "deleting"} {
		if !strings.Contains(message, want) {
			t.Errorf("the message %q does not contain %q", message, want)
		}
	}
	events := w.emitted()
	if len(events) != 1 || !strings.HasPrefix(events[0], "Warning SpecChanged spec.os, spec.machine: ") || w.patches != 2 {
		t.Errorf("events %q, %d patches", events, w.patches)
	}
	w.change(func(s *v1alpha1.MachineBootstrapConfigSpec) { s.OS.Distribution, s.Machine = "ubuntu", nil })
	reverted := w.reconcile()
	if conditions(reverted)["UpToDate"] != "True UpToDate" || messageOf(reverted, "UpToDate") != "" {
		t.Errorf("conditions %v after the change was reverted", conditions(reverted))
	}
	if events := w.emitted(); len(events) != 0 {
		t.Errorf("events %q", events)
	}
}

func TestDataThatIsCreatedAgainHasTheChange(t *testing.T) {
	w := newWorld(t, nil)
	w.reconcile()
	w.change(func(s *v1alpha1.MachineBootstrapConfigSpec) { s.OS.Distribution = "debian" })
	w.reconcile()
	w.emitted()
	w.data.Delete(ports.Key{Namespace: "default", Name: "m1"})
	got := w.reconcile()
	if conditions(got)["UpToDate"] != "True UpToDate" ||
		!strings.Contains(messageOf(got, "UpToDate"), "created again from the changed spec") {
		t.Errorf("conditions %v, message %q", conditions(got), messageOf(got, "UpToDate"))
	}
	events := strings.Join(w.emitted(), "\n")
	if !strings.Contains(events, "Normal BootstrapDataRecreated ") {
		t.Errorf("events %s", events)
	}
}

func TestUnchangedDataThatIsCreatedAgainHasNoCondition(t *testing.T) {
	w := newWorld(t, nil)
	w.reconcile()
	w.data.Delete(ports.Key{Namespace: "default", Name: "m1"})
	if got := conditions(w.reconcile()); got["UpToDate"] != "" {
		t.Errorf("conditions %v", got)
	}
}

// TestStatusIsRebuilt empties the status, as clusterctl move does, and changes the spec on the way.
func TestStatusIsRebuilt(t *testing.T) {
	w := newWorld(t, nil)
	before := w.reconcile()
	for _, changed := range []bool{false, true} {
		t.Run(fmt.Sprintf("changed %t", changed), func(t *testing.T) {
			moved := w.reconcile()
			moved.Status = v1alpha1.MachineBootstrapConfigStatus{}
			if err := w.client.Status().Update(t.Context(), moved); err != nil {
				t.Fatal(err)
			}
			if changed {
				w.change(func(s *v1alpha1.MachineBootstrapConfigSpec) { s.OS.Distribution = "debian" })
			}
			got := w.reconcile()
			if diff := cmp.Diff(before.Status.Payload, got.Status.Payload); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
			if reported := conditions(got)["UpToDate"] == "False SpecChanged"; reported != changed {
				t.Errorf("conditions %v", conditions(got))
			}
		})
	}
}

// TestMisleadingSummaryChangesNoData changes the description of the data, as a user who can write Secrets can do. The
// controller shows it, and reports a change of the spec that there was not; the data and its Secret stay.
func TestMisleadingSummaryChangesNoData(t *testing.T) {
	key := ports.Key{Namespace: "default", Name: "m1"}
	for name, source := range map[string]string{
		"other digests":   "os:00000000,machine:ffffffff",
		"unknown fields":  "nosuch:00000000,metadata.name:1,:,::,os",
		"repeated fields": strings.Repeat("os:1,", 800),
		"commas":          strings.Repeat(",", 4000),
		"terminal":        "\x1b[31mos:1\nmachine-2",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			config := w.reconcile()
			before, _ := w.data.Payload(key)
			owner := ports.Owner{Key: key, UID: string(config.UID)}
			d, err := w.data.Find(t.Context(), key, owner)
			if err != nil {
				t.Fatal(err)
			}
			d.Summary = ports.DataSummary{Format: "talos", Bytes: 1 << 62, Warnings: 1 << 30, Source: source}
			d.Payload = before
			if err := w.data.Replace(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			w.change(func(*v1alpha1.MachineBootstrapConfigSpec) {})
			w.reconcile()
			got := w.reconcile()
			after, stored := w.data.Payload(key)
			if !stored || after.Format != before.Format || after.Data.Len() != before.Data.Len() {
				t.Errorf("the data changed to %s", after.Format)
			}
			message := messageOf(got, "UpToDate")
			if conditions(got)["UpToDate"] != "False SpecChanged" || len(message) > 1024 ||
				strings.Contains(message, "nosuch") || strings.ContainsAny(message, "\x1b\n") {
				t.Errorf("conditions %v: %q", conditions(got), message)
			}
		})
	}
}
