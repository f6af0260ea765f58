// Package windows reads what is written for Windows, as its consumers do: an answer file as XML, held against the table
// of components, and the program in it back into files and scripts. It takes nothing from the renderers but that table.
package windows
