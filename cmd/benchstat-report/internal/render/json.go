// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"encoding/json"
	"io"
	"math"

	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/facts"
	"github.com/turnstile-go/turnstile/cmd/benchstat-report/internal/report"
)

// number is a float64 that JSON can hold: NaN and infinities are null.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

type (
	jsonReport struct {
		Confidence number
		Groups     []jsonGroup
	}
	jsonGroup struct {
		Machine  string
		Origin   string
		Config   map[string][]string
		Warnings []string `json:",omitempty"`
		Files    []string
		Base     string
		Locks    []string
		Tables   []jsonTable
	}
	jsonTable struct {
		Unit    string
		Better  string // higher, lower or unstated
		Rows    []jsonRow
		Geomean map[string]jsonMean
	}
	jsonMean struct {
		Ratio    number
		Rows, Of int
		Wide     int `json:",omitempty"` // rows whose interval spans more than a factor of 100
	}
	jsonRow struct {
		Name  string
		Keys  map[string]string
		Cells []jsonCell
	}
	jsonCell struct {
		Lock           string
		N              int
		Center, Lo, Hi number
		Ratio          *jsonRatio `json:",omitempty"`
		Verdict        string     `json:",omitempty"`
	}
	jsonRatio struct {
		Center, Lo, Hi, Confidence number
		N, NBase                   int
		Method                     string
		Problem                    string `json:",omitempty"`
	}
)

// JSON writes the report for programs: values unrounded, in tidied units; null
// stands for a bound or a ratio that does not exist.
func JSON(w io.Writer, rep *report.Report) error {
	out := jsonReport{Confidence: number(rep.Confidence)}
	for _, g := range rep.Groups {
		out.Groups = append(out.Groups, groupJSON(g))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func groupJSON(g *report.Group) jsonGroup {
	s := facts.Of(g)
	out := jsonGroup{
		Machine: s.Title, Origin: g.Origin(), Warnings: s.Warnings,
		Config: make(map[string][]string), Files: g.Files, Base: g.Base, Locks: g.Locks,
	}
	for _, f := range g.Facts {
		out.Config[f.Key] = f.Values
	}
	for _, t := range g.Tables {
		out.Tables = append(out.Tables, tableJSON(t))
	}
	return out
}

func tableJSON(t *report.Table) jsonTable {
	out := jsonTable{Unit: t.Unit, Better: "unstated", Geomean: make(map[string]jsonMean)}
	switch {
	case t.Better > 0:
		out.Better = "higher"
	case t.Better < 0:
		out.Better = "lower"
	}
	for lock, m := range t.Means {
		out.Geomean[lock] = jsonMean{number(m.Ratio), m.Rows, m.Of, m.Wide}
	}
	for _, r := range t.Rows {
		row := jsonRow{Name: r.Name, Keys: make(map[string]string)}
		for i, k := range t.Keys {
			row.Keys[k] = r.Values[i]
		}
		for _, c := range r.Cells {
			if c != nil {
				row.Cells = append(row.Cells, cellJSON(c))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func cellJSON(c *report.Cell) jsonCell {
	out := jsonCell{
		Lock: c.Lock, N: c.N, Center: number(c.Center), Lo: number(c.Lo), Hi: number(c.Hi),
		Verdict: string(c.Verdict),
	}
	if r := c.Ratio; r != nil {
		out.Ratio = &jsonRatio{
			number(r.Center), number(r.Lo), number(r.Hi), number(r.Confidence),
			r.N, r.NBase, string(r.Method), r.Problem,
		}
	}
	return out
}
