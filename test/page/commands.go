package page

import (
	"regexp"
	"strings"
)

var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// Commands returns the commands of a document in their order, one a line: what follows the prompts in its blocks of
// type console. It omits sections, which are given by their headings.
func Commands(text string, omitted ...string) string {
	for _, heading := range omitted {
		before, rest, _ := strings.Cut(text, "\n## "+heading+"\n")
		_, after, _ := strings.Cut(rest, "\n## ")
		text = before + "\n## " + after
	}
	var commands strings.Builder
	for _, block := range console.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			for _, prompt := range []string{"$ ", "> "} {
				if command, found := strings.CutPrefix(line, prompt); found {
					commands.WriteString(command)
				}
			}
		}
	}
	return commands.String()
}
