// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// hostile is a file whose every name wants to be something else.
const hostile = "cpu: # <script>alert(1)</script> [x](http://example.com) *b* `c` a_b & co\n" +
	"host: <img src=x>\nUnit <u>/s better=higher\n" +
	"Benchmark=cmd()/k=<b>a|b/lock=std 1 5 <u>/s 1e308 ns/op\n" +
	"Benchmark=cmd()/k=<b>a|b/lock==1+1 1 5 <u>/s 1e-300 ns/op\n" +
	"Benchmark=cmd()/k=<b>a|b/lock=# 1 6 <u>/s 7 ns/op -3 -x\n" +
	"Benchmark=cmd()/k=<b>a|b/lock=-x 1 6 <u>/s 7 ns/op 1e300 n\n" +
	"Benchmark=cmd()/k=<b>a|b/lock=@x 1 6 acq/s 1e-300 n\n"

func TestMarkdownEscapes(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "in.txt"), hostile)
	e := run(t, "show", "-format=markdown", "-all", path)
	if e.status != 0 {
		t.Fatalf("%+v", e)
	}
	if m := regexp.MustCompile(`<[a-z/][^\n]*|[^\\]\]\([^\n]*|[^\\][`+"`"+`_][^\n]*|[^\\*]\*[^*\n][^\n]*`).FindAllString(strings.ReplaceAll(e.stdout, "**warning", ""), -1); m != nil {
		t.Errorf("unescaped: %q", m)
	}
	for _, want := range []string{
		`## # &lt;script>alert(1)&lt;/script> [x\](http://example.com) \*b\* \` + "`" + `c\` + "`" + ` a\_b &amp; co` + "\n",
		"- host: &lt;img src=x>\n", "### &lt;u>/s ", `| &lt;b>a\|b |`, "\n\\# against std: ", "\n\\=1+1 against std: ", "\n\\-x against std: ",
	} {
		if !strings.Contains(e.stdout, want) {
			t.Errorf("no %q in\n%s", want, e.stdout)
		}
	}
	for _, line := range strings.Split(e.stdout, "\n") {
		if regexp.MustCompile(`^(=|\+|>|# |-x|[0-9]+[.)]( |$))`).MatchString(line) {
			t.Errorf("a line that is no paragraph: %q", line)
		}
	}
}

func TestCSVIsInert(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "in.txt"), strings.Replace(hostile, "cpu: #", "cpu: =1+1 #", 1))
	e := run(t, "show", "-format=csv", path)
	rows, err := csv.NewReader(strings.NewReader(e.stdout)).ReadAll()
	if err != nil || len(rows) < 10 {
		t.Fatalf("%d rows, error %v: %+v", len(rows), err, e)
	}
	quoted, negative := map[string]bool{}, 0
	for _, row := range rows {
		for _, cell := range row {
			_, err := strconv.ParseFloat(cell, 64)
			switch {
			case strings.HasPrefix(cell, "'"):
				quoted[cell[:2]] = true
			case cell != "" && strings.Contains("=+-@", cell[:1]) && err != nil:
				t.Errorf("a spreadsheet computes %q", cell)
			case err == nil && cell[0] == '-':
				negative++
			}
		}
	}
	for _, want := range []string{"'=", "'-", "'@"} {
		if !quoted[want] {
			t.Errorf("no cell begins with %s", want)
		}
	}
	if negative == 0 {
		t.Error("a negative number became a text")
	}
}

// Absurd numbers stay within their columns.
func TestAbsurdNumbers(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "in.txt"), hostile)
	for _, format := range []string{"text", "markdown", "html"} {
		e := run(t, "show", "-all", "-format", format, path)
		if m := regexp.MustCompile(`[0-9]{20,}`).FindString(e.stdout); m != "" || e.status != 0 {
			t.Errorf("%s: exit status %d, a number of %d digits", format, e.status, len(m))
		}
	}
	if e := run(t, "show", "-all", path); !strings.Contains(e.stdout, "1.000e+299s ") {
		t.Errorf("no 1.000e+299s in\n%s", e.stdout)
	}
}
