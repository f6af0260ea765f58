package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/app/render"
)

// explained is a document of the plan, for printing.
type explained struct {
	Document string `json:"document" yaml:"document"`
	// Path is the field that the document was made of, and File and Line where that stands; nothing if the document was
	// added.
	Path string `json:"path" yaml:"path"`
	File string `json:"file,omitempty" yaml:"file,omitempty"`
	Line int    `json:"line,omitempty" yaml:"line,omitempty"`
	// By is the plugin that expands the document; "format" if the format says the document itself.
	By string `json:"by" yaml:"by"`
	// Bytes is how much smaller the userdata would be without it, before it is compressed.
	Bytes   int               `json:"bytes,omitempty" yaml:"bytes,omitempty"`
	Actions []explainedAction `json:"actions,omitempty" yaml:"actions,omitempty"`
}

type explainedAction struct {
	Phase  string `json:"phase" yaml:"phase"`
	Action string `json:"action" yaml:"action"`
	// Says is where the output says the action.
	Says string `json:"says,omitempty" yaml:"says,omitempty"`
}

func explainCommand(o Options) *cobra.Command {
	var in inputs
	var output string
	c := &cobra.Command{
		Use:   "explain -f FILE",
		Short: "Print the plan for a machine: documents, actions, and what says them",
		Args:  cobra.NoArgs,
	}
	in.register(c, o)
	c.Flags().StringVarP(&output, "output", "o", "", "json or yaml in place of a table")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := checkOutput(output); err != nil {
			return err
		}
		w, err := in.read(o)
		if err != nil {
			return err
		}
		made, err := in.produce(c.Context(), w, false)
		if err != nil {
			return err
		}
		findings := all(made)
		write(o.Err, findings)
		if err := show(o.Out, output, made[0].explain(c.Context(), o.Render)); err != nil {
			return err
		}
		if output == "" {
			fmt.Fprint(o.Out, made[0].sizes())
		}
		return in.verdict(findings)
	}
	return c
}

func (p produced) explain(ctx context.Context, s *render.Service) []explained {
	shares := p.result.Size.Shares
	if shares == nil {
		shares = s.Weigh(ctx, p.result)
	}
	out := []explained{}
	for _, e := range s.Explain(p.result) {
		x := p.machine.explain(e)
		i := slices.IndexFunc(shares, func(s render.Share) bool { return s.Source == e.Source })
		if i >= 0 {
			x.Bytes = shares[i].Bytes
			shares = slices.Delete(slices.Clone(shares), i, i+1)
		}
		out = append(out, x)
	}
	for _, s := range shares {
		x := p.machine.explain(render.Explained{Kind: "(text)", Source: s.Source, Expander: "user"})
		x.Bytes = s.Bytes
		out = append(out, x)
	}
	return out
}

// sizes says how large the userdata is; nothing if there is none.
func (p produced) sizes() string {
	s := p.result.Size
	if s.Rendered == 0 {
		return ""
	}
	published := ""
	if s.Published != s.Rendered {
		published = fmt.Sprintf(", %d in the Secret as %s", s.Published, p.result.Rendering.Payload.Envelope)
	}
	return fmt.Sprintf("userdata: %d bytes%s; %d of the %d that may be\n", s.Rendered, published, s.Counted, s.Limit)
}

func (m *aMachine) explain(e render.Explained) explained {
	path := m.pathIn(e.Source.Path)
	x := explained{Document: string(e.Kind), Path: string(path), By: e.Expander}
	if e.Native {
		x.By = "format"
	}
	if at := m.config.locate(path); at.exact {
		x.File, x.Line = at.text.name, at.line
	}
	for _, a := range e.Actions {
		x.Actions = append(x.Actions, explainedAction{Phase: a.Phase.String(), Action: a.Summary, Says: a.Says})
	}
	return x
}

func (x explained) where() string {
	if x.File == "" {
		return "(added)"
	}
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}

func show(w io.Writer, output string, plan []explained) error {
	if output != "" {
		return encode(w, output, plan)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "DOCUMENT\tFROM\tFIELD\tBYTES\tBY\tPHASE\tACTION\tIN THE OUTPUT")
	for _, x := range plan {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s", x.Document, x.where(), x.Path, x.Bytes, x.By)
		for i, a := range x.Actions {
			if i > 0 {
				fmt.Fprint(t, "\t\t\t\t")
			}
			fmt.Fprintf(t, "\t%s\t%s\t%s\n", a.Phase, a.Action, a.Says)
		}
		if len(x.Actions) == 0 {
			fmt.Fprintln(t, "\t\t\t")
		}
	}
	return t.Flush()
}
