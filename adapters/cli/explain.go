package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/render"
)

// explained is a document of the plan, as explain prints it.
type explained struct {
	Document string `json:"document"`
	// Path is the source of the document. File and Line are its place; they are empty if machineadm added the document.
	Path string `json:"path"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// By is the plugin that expands the document, or "format" if the format supports the document itself.
	By string `json:"by"`
	// Bytes is the size by which the userdata would shrink without the document, before compression.
	Bytes   int               `json:"bytes,omitempty"`
	Actions []explainedAction `json:"actions,omitempty"`
}

type explainedAction struct {
	Phase  string `json:"phase"`
	Action string `json:"action"`
	// Output is the place of the action in the output, or empty if the renderer does not record it.
	Output string `json:"output,omitempty"`
}

func explainCommand(o Options) *cobra.Command {
	var in inputs
	var output string
	c := &cobra.Command{
		Use:   "explain -f FILE",
		Short: "Print the plan of a machine: documents, actions and their places in the output",
		Long: `Prints the documents of a machine in the order in which they are applied. For
each document it shows the field that the document comes from, the size that it
adds, the plugin that expands it, and its actions with their phases and their
places in the output.`,
		Example: `  machineadmctl explain -f cluster.yaml --machine worker-0
  machineadmctl explain -f cluster.yaml --machine worker-0 -o json`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	registerOutput(c, &output, "a table", "json", "yaml")
	c.RunE = func(c *cobra.Command, _ []string) error {
		p, err := in.read(c.Context(), o)
		if err != nil {
			return err
		}
		results, err := in.produce(c.Context(), p, false)
		if err != nil {
			return err
		}
		findings := locateAll(results)
		printFindings(o.Err, in.visible(findings))
		if err := printPlan(o.Out, output, results[0].explain(c.Context(), o.Render)); err != nil {
			return err
		}
		if output == "" {
			fmt.Fprint(o.Out, results[0].sizes())
		}
		return in.exitError(findings)
	}
	return c
}

func (r result) explain(ctx context.Context, s *render.Service) []explained {
	shares := r.rendered.Size.Shares
	if shares == nil {
		shares = s.SizeShares(ctx, r.rendered)
	}
	out := []explained{}
	for _, e := range s.Explain(r.rendered) {
		x := r.machine.explain(e)
		i := slices.IndexFunc(shares, func(s render.Share) bool { return s.Source == e.Source })
		if i >= 0 {
			x.Bytes = shares[i].Bytes
			shares = slices.Delete(slices.Clone(shares), i, i+1)
		}
		out = append(out, x)
	}
	for _, s := range shares {
		x := r.machine.explain(render.Explanation{Kind: "(text)", Source: s.Source, Expander: "user"})
		x.Bytes = s.Bytes
		out = append(out, x)
	}
	return out
}

// sizes returns a line with the size of the userdata and its limit, or empty if there is no userdata.
func (r result) sizes() string {
	s := r.rendered.Size
	if s.Rendered == 0 {
		return ""
	}
	published := ""
	if s.Published != s.Rendered {
		published = fmt.Sprintf(", %d in the Secret as %s", s.Published, r.rendered.Rendering.Payload.Envelope)
	}
	limit := fmt.Sprintf("the limit is %d bytes", s.Limit)
	if s.Counted != s.Rendered {
		limit = fmt.Sprintf("%d bytes count towards the limit of %d bytes", s.Counted, s.Limit)
	}
	return fmt.Sprintf("userdata: %d bytes%s; %s\n", s.Rendered, published, limit)
}

func (m *machine) explain(e render.Explanation) explained {
	path := m.path(e.Source.Path)
	x := explained{Document: string(e.Kind), Path: string(path), By: e.Expander}
	if e.Native {
		x.By = "format"
	}
	if at := m.config.locate(path); at.exact {
		x.File, x.Line = at.file.name, at.line
	}
	for _, a := range e.Actions {
		x.Actions = append(x.Actions, explainedAction{Phase: a.Phase.String(), Action: a.Summary, Output: a.Place})
	}
	return x
}

func (x explained) where() string {
	if x.File == "" {
		return "(added)"
	}
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}

func printPlan(w io.Writer, output string, plan []explained) error {
	if output != "" {
		return encode(w, output, plan)
	}
	t := terminal.NewTable(w, 0, 2)
	t.Row("DOCUMENT", "FROM", "FIELD", "BYTES", "BY", "PHASE", "ACTION", "IN THE OUTPUT")
	for _, x := range plan {
		first := []any{x.Document, x.where(), x.Path, x.Bytes, x.By}
		if len(x.Actions) == 0 {
			t.Row(append(first, "", "", "")...)
		}
		for _, a := range x.Actions {
			t.Row(append(first, a.Phase, a.Action, a.Output)...)
			first = []any{"", "", "", "", ""}
		}
	}
	return t.Flush()
}
