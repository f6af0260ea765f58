package settings

import (
	"io/fs"
	"testing"
)

func TestWhoReadsSecrets(t *testing.T) {
	controller, root := process{user: 65532, groups: []int{65532}}, process{groups: []int{0}}
	for name, c := range map[string]struct {
		p            process
		mode         fs.FileMode
		owner, group int
		want         bool
	}{
		"own file":                     {controller, 0o600, 65532, 65532, false},
		"mounted Secret":               {controller, 0o440, 0, 65532, false},
		"mounted Secret, default mode": {controller, 0o644, 0, 65532, true},
		"the group writes":             {controller, 0o460, 0, 65532, true},
		"another group reads":          {controller, 0o440, 0, 1000, true},
		"own file, its group reads":    {controller, 0o440, 65532, 65532, true},
		"root, its group reads":        {root, 0o440, 0, 0, true},
		"root's own file":              {root, 0o400, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.p.opens(c.mode, c.owner, c.group); got != c.want {
				t.Errorf("%t", got)
			}
		})
	}
}
