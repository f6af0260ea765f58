package cloudinit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestPrimaryGroup checks that a new user gets the group of the plan that has its name: useradd(8) refuses to create
// that group again.
func TestPrimaryGroup(t *testing.T) {
	gid := 52034
	group := func(g machine.Group) action.Action { return action.Action{Do: action.EnsureGroup{Group: g}} }
	user := func(u machine.User) action.Action { return action.Action{Do: action.EnsureUser{User: u}} }
	rendering := render(t, planOf(
		group(machine.Group{Name: "etcd", GID: &gid}), group(machine.Group{Name: "ops"}), group(machine.Group{Name: "app"}),
		user(machine.User{Name: "etcd", UID: &gid}), user(machine.User{Name: "ops"}),
		user(machine.User{Name: "app", PrimaryGroup: "ops"}), user(machine.User{Name: "other"}),
	))
	got := map[string]string{}
	for _, u := range read(t, rendering.Payload.Data.Reveal()).Users {
		got[u.Name] = u.PrimaryGroup
	}
	want := map[string]string{"etcd": "etcd", "ops": "ops", "app": "ops", "other": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("primary groups (-want +got):\n%s", diff)
	}
}
