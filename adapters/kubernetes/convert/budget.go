package convert

import (
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/report"
)

// spend draws n bytes of content from the object's budget, for the field at p. It returns false if the conversion has
// stopped; the first excess stops it.
func (c *converter) spend(p report.Path, n int) bool {
	if c.stopped() {
		return false
	}
	if err := c.budget.Spend(budget.Content, n); err != nil {
		c.exceedBudget(p, err)
		return false
	}
	return true
}

// exceedBudget stops the conversion with an error finding for the field that exceeds the budget.
func (c *converter) exceedBudget(p report.Path, err error) {
	c.found(report.Errorf(p, "with this field the object has %v", err).To("shorten it, or make the machine fetch it"))
	c.exceeded = true
}

// stopped reports whether the conversion has stopped: the budget is exceeded, a lookup has failed, or the context
// has ended.
func (c *converter) stopped() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	return c.err != nil || c.exceeded
}
