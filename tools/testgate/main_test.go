// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"strings"
	"testing"
)

const (
	passes = `{"Action":"pass","Package":"m/sync","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"m/sync","Elapsed":0.1}` + "\n"
	skips  = `{"Action":"output","Package":"m/sync","Test":"TestB","Output":"    x_test.go:1: no tests in this GOROOT\n"}` + "\n" + `{"Action":"skip","Package":"m/sync","Test":"TestB"}` + "\n"
	fails  = `{"Action":"output","Package":"m/sync","Test":"TestC","Output":"boom\n"}` + "\n" + `{"Action":"fail","Package":"m/sync","Test":"TestC"}` + "\n"
	build  = `{"ImportPath":"m/sync","Action":"build-output","Output":"syntax error\n"}` + "\n" + `{"ImportPath":"m/sync","Action":"build-fail"}` + "\n"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name, rules, events, wantErr, wantOut string
	}{
		{"pass", "", passes, "", "race: 1 passed, 0 failed, 0 skipped"},
		{"failure", "", passes + fails, "failures", "boom"},
		{"build failure", "", build, "failures", "syntax error"},
		{"unexpected skip", "", passes + skips, "sync.TestB", "NOT EXPECTED"},
		{"expected skip", "race sync.TestB needs tests", passes + skips, "", "no tests in this GOROOT"},
		{"expected in another step", "386 sync.TestB needs tests", passes + skips, "sync.TestB", ""},
		{"expected everywhere", "* sync.Test? needs tests", passes + skips, "", "(needs tests)"},
		{"hangs", "", `{"Action":"output","Package":"m/sync","Test":"TestD","Output":"stuck here\\n"}` + "\n" + `{"Action":"fail","Package":"m/sync"}` + "\n", "failures", "stuck here"},
		{"ends too early", "", passes + `{"Action":"start","Package":"m/spin"}` + "\n", "m/spin", ""},
		{"cut in a line", "", passes + `{"Action":"pa`, "not an event", ""},
		{"whole package", "", `{"Action":"start","Package":"m/sync"}` + "\n" + passes, "", "ok   m/sync"},
		{"nothing ran", "", "", "no test ran", ""},
		{"only skips", "* * whatever", skips, "no test ran", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules, err := readRules(strings.NewReader(c.rules))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			err = judge(strings.NewReader(c.events), &out, "race", rules)
			if (err == nil) != (c.wantErr == "") || err != nil && !strings.Contains(err.Error(), c.wantErr) {
				t.Errorf("error %v, want %q", err, c.wantErr)
			}
			if !strings.Contains(out.String(), c.wantOut) {
				t.Errorf("output %q does not hold %q", out.String(), c.wantOut)
			}
		})
	}
}

func TestBadRulesNameTheLine(t *testing.T) {
	for _, text := range []string{"# fine\nrace sync.TestB", "* sync.[ reason\n"} {
		if _, err := readRules(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("readRules(%q): error %v, want one that names the line", text, err)
		}
	}
}
