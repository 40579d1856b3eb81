// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/format"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/render"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

//go:embed page.html style.css
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(mustRead("style.css")) },
	"unit":  format.Unit,
}).ParseFS(files, "page.html"))

func mustRead(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embedded at build time
	}
	return string(b)
}

// view is what the template sees.
type view struct {
	Title  string
	Groups []groupView
}

type groupView struct {
	ID       string
	Sheet    facts.Sheet
	Files    string
	Against  string // empty where there is nothing to compare
	Findings []string
	Summary  []summaryRow
	OneLock  bool // one lock beside the base, which Against names
	Sections []section
	Tables   []tableView
	Notes    []string
}

// Write writes the page.
func Write(w io.Writer, rep *report.Report) error {
	v := view{Title: "Lock contention"}
	for i, g := range rep.Groups {
		v.Groups = append(v.Groups, viewOf(rep, g, fmt.Sprintf("g%d", i+1)))
	}
	if len(rep.Groups) == 1 {
		v.Title += " on " + v.Groups[0].Sheet.Title
	} else {
		v.Title += fmt.Sprintf(" in %d configurations", len(rep.Groups))
	}
	return page.Execute(w, v)
}

func viewOf(rep *report.Report, g *report.Group, id string) groupView {
	v := groupView{
		ID: id, Sheet: facts.Of(g), Files: strings.Join(g.Files, ", "),
		Sections: sections(g, id), Notes: render.Notes(rep, g),
	}
	if len(g.Locks) > 1 {
		v.Against = render.Against(g)
		v.Findings = render.Findings(g)
		v.Summary = summary(g)
		v.OneLock = len(g.Locks) == 2
	}
	for i, t := range g.Tables {
		v.Tables = append(v.Tables, tableOf(g, t, fmt.Sprintf("%s-u%d", id, i+1)))
	}
	return v
}
