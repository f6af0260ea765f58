package nodecli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
)

// Plugin is a plugin in the output of "machineadm plugins".
type Plugin struct {
	// Name is the name of its file, or the name of a core plugin.
	Name string `json:"name"`
	// Path is the path of its file, or empty for a core plugin.
	Path string `json:"path,omitempty"`
	// SHA256 is the digest of the file. Pinned means that it equals the digest on the command line.
	SHA256 string `json:"sha256,omitempty"`
	Pinned bool   `json:"pinned"`
	// Version, Services and Kinds are from the description that a started plugin returns.
	Version  string   `json:"version,omitempty"`
	Services []string `json:"services,omitempty"`
	Kinds    []string `json:"kinds,omitempty"`
	// Problem is the reason why the plugin cannot be used, or empty if it can.
	Problem string `json:"problem,omitempty"`
}

// Plugins lists and starts the machine's plugins.
type Plugins interface {
	// List returns the core plugins and the external plugins that were found. It does not start them.
	List() ([]Plugin, error)
	// Verify starts the plugin, reads its description and ends it. An error becomes its Problem.
	Verify(ctx context.Context, p Plugin) Plugin
}

func (c *cli) pluginFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.setup.PluginPath, "plugin-path", false, "also search for plugins in the directories of PATH")
	cmd.Flags().StringArrayVar(&c.pins, "pin", nil,
		"digest that the file of a plugin must have, as NAME=SHA256; a plugin that is pinned may take "+
			"the place of a core plugin")
}

// readPins reads the flags of pins, which name a file and its digest.
func (c *cli) readPins() error {
	c.setup.Pins = map[string]string{}
	for _, pin := range c.pins {
		name, digest, _ := strings.Cut(pin, "=")
		if sum, err := hex.DecodeString(digest); name == "" || err != nil || len(sum) != 32 {
			return fmt.Errorf("%q is not a pin; write FILE=SHA256 with 64 hexadecimal digits", pin)
		}
		if _, twice := c.setup.Pins[name]; twice {
			return fmt.Errorf("%s is pinned twice", name)
		}
		c.setup.Pins[name] = digest
	}
	return nil
}

func (c *cli) plugin() *cobra.Command {
	cmd := &cobra.Command{
		Use: "plugin", Short: "Show the plugins on this machine", Args: cobra.NoArgs,
		Example: "  machineadm plugin list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(c.pluginList(), c.pluginVerify())
	return cmd
}

func (c *cli) pluginList() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: "List the plugins, and why some cannot be used", Args: cobra.NoArgs,
		Example: "  machineadm plugin list --plugin-path -o json",
		RunE: func(*cobra.Command, []string) error {
			_, list, err := c.plugins()
			if err != nil {
				return err
			}
			return c.printPlugins(list)
		},
	}
	c.pluginFlags(cmd)
	c.outputFlag(cmd)
	return cmd
}

func (c *cli) pluginVerify() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "verify [NAME...]", Short: "Start plugins and show their descriptions",
		Long: "verify sees whether a plugin can be trusted, has the digest that is pinned, starts, and describes itself.\n" +
			"NAME is the name of its file, such as machineadm-timesync-plugin-ptp, or that of a core plugin.",
		Example: "  machineadm plugin verify --all\n  machineadm plugin verify machineadm-timesync-plugin-ptp",
		RunE: func(cmd *cobra.Command, names []string) error {
			if all == (len(names) > 0) {
				return errors.New("name the plugins, or use --all")
			}
			return c.verifyPlugins(cmd.Context(), names)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all plugins")
	c.pluginFlags(cmd)
	c.outputFlag(cmd)
	return cmd
}

func (c *cli) plugins() (Plugins, []Plugin, error) {
	if err := c.readPins(); err != nil {
		return nil, nil, err
	}
	plugins := c.Plugins(c.setup)
	list, err := plugins.List()
	return plugins, list, failed(err)
}

// verifyPlugins verifies the plugins of the names; none means all.
func (c *cli) verifyPlugins(ctx context.Context, names []string) error {
	plugins, list, err := c.plugins()
	if err != nil {
		return err
	}
	chosen, err := namedPlugins(list, names)
	if err != nil {
		return err
	}
	var bad []string
	for i, p := range chosen {
		if chosen[i] = plugins.Verify(ctx, p); chosen[i].Problem != "" {
			bad = append(bad, p.Name)
		}
	}
	if err := c.printPlugins(chosen); err != nil || len(bad) == 0 {
		return err
	}
	return failed(fmt.Errorf("plugins cannot be used: %s", strings.Join(bad, ", ")))
}

func namedPlugins(list []Plugin, names []string) ([]Plugin, error) {
	if len(names) == 0 {
		return list, nil
	}
	var chosen []Plugin
	for _, name := range names {
		found := len(chosen)
		for _, p := range list {
			if p.Name == name {
				chosen = append(chosen, p)
			}
		}
		if found == len(chosen) {
			return nil, failed(fmt.Errorf("there is no plugin %s", name))
		}
	}
	return chosen, nil
}

func (c *cli) printPlugins(list []Plugin) error {
	if err := c.formatted(); err != nil {
		return err
	}
	if c.output == "" {
		return failed(c.pluginTable(list))
	}
	return failed(c.print(list))
}

func (c *cli) pluginTable(list []Plugin) error {
	t := terminal.NewTable(c.Out, 0, 2)
	t.Row("NAME", "VERSION", "KINDS", "PINNED", "FROM", "PROBLEM")
	for _, p := range list {
		from, pinned := p.Path, "no"
		if from == "" {
			from, pinned = "built in", ""
		}
		if p.Pinned {
			pinned = "yes"
		}
		t.Row(orDash(p.Name), orDash(p.Version), orDash(strings.Join(p.Kinds, ",")), orDash(pinned), orDash(from),
			orDash(p.Problem))
	}
	return t.Flush()
}

func orDash(s string) string { return cmp.Or(s, "-") }
