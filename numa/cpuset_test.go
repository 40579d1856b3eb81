// SPDX-License-Identifier: BSD-3-Clause

package numa_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turnstile-go/turnstile/numa"
)

func TestParseCPUSet(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string // String of the result
	}{
		{"", ""},
		{" \n", ""},
		{"0", "0"},
		{"0-3\n", "0-3"},
		{"0,1,2,3", "0-3"},
		{"8,0-3", "0-3,8"},
		{"0-3,2-5", "0-5"},
		{"5-5", "5"},
		{" 1 , 3 ", "1,3"},
		{"0-7:1/2", "0,2,4,6"},
		{"0-10:2/4,11", "0-1,4-5,8-9,11"},
		{"0-9:3/3", "0-9"},
		{"0-9:0/3", ""},
		{"3-3:1/1000000", "3"},
		{"15-17,64-127", "15-17,64-127"},
		{"1048575", "1048575"},
	} {
		set, err := numa.ParseCPUSet(c.in)
		if err != nil || set.String() != c.want {
			t.Errorf("ParseCPUSet(%q) = %q, %v, want %q", c.in, set, err, c.want)
		}
		back, err := numa.ParseCPUSet(set.String())
		if err != nil || back != set {
			t.Errorf("ParseCPUSet(%q) does not read its own String back: %q, %v", c.in, back, err)
		}
	}
}

func TestParseCPUSetErrors(t *testing.T) {
	for in, word := range map[string]string{
		"x":                       `"x" is not a CPU number`,
		"0-":                      `"" is not a CPU number`,
		"-1":                      `"" is not a CPU number`,
		"+1":                      "not a CPU number",
		"0x3":                     "not a CPU number",
		"1,,2":                    "empty",
		"1,":                      "empty",
		"5-3":                     "runs backwards",
		"0-7:2":                   "used/group",
		"0-7:3/2":                 "more than its group",
		"0-7:0/0":                 "more than its group",
		"4:1/2":                   "needs a range",
		"all":                     "not a CPU number",
		"N":                       "not a CPU number",
		"1048576":                 "above 1048575",
		"99999999999999999999":    "above 1048575",
		"0-3 4-5":                 "not a CPU number",
		"1\n2":                    "not a CPU number",
		strings.Repeat("y", 5000): "not a CPU number",
	} {
		set, err := numa.ParseCPUSet(in)
		if err == nil {
			t.Errorf("ParseCPUSet(%q) = %v, want an error", in, set)
			continue
		}
		msg := err.Error()
		if !strings.Contains(msg, word) || !strings.HasPrefix(msg, "numa: ") || strings.ContainsAny(msg, "\n\r") || len(msg) > 250 {
			t.Errorf("ParseCPUSet(%.20q): message %q, want one line with %q", in, msg, word)
		}
		if !set.Empty() {
			t.Errorf("ParseCPUSet(%.20q) gave %v beside its error", in, set)
		}
	}
}

func TestCPUSetIsAValue(t *testing.T) {
	a := numa.CPUSetOf(1, 2, 300)
	b := a
	b.Add(5)
	b.Remove(1)
	if a.String() != "1-2,300" || b.String() != "2,5,300" {
		t.Fatalf("a is %v and b is %v: a change went through a copy", a, b)
	}
	b.Remove(300, 5, 2)
	if b != (numa.CPUSet{}) || !b.Empty() || b.Len() != 0 || len(b.List()) != 0 {
		t.Fatalf("%v is not the empty set after all its CPUs were removed", b)
	}
	b.Remove(7, -1, 1<<30)
	if b.Has(-1) || b.Has(1<<30) || a.Has(3) || !a.Has(300) {
		t.Fatal("Has is wrong at the edges")
	}
}

func TestCPUSetAddPanics(t *testing.T) {
	for _, bad := range []int{-1, numa.MaxCPU + 1} {
		s := numa.CPUSetOf(1)
		func() {
			defer func() {
				if v, _ := recover().(string); !strings.HasPrefix(v, "numa: CPU number") {
					t.Errorf("Add(%d) gave panic %q", bad, v)
				}
			}()
			s.Add(2, bad)
		}()
		if s != numa.CPUSetOf(1) {
			t.Errorf("Add(2, %d) panicked and left %v", bad, s)
		}
	}
}

// TestCPUSetAgainstMap compares random operations with a map.
func TestCPUSetAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type model map[int]bool
	var set [2]numa.CPUSet
	ref := [2]model{{}, {}}
	for range 3000 {
		i, c := rng.IntN(2), rng.IntN(200)
		switch rng.IntN(5) {
		case 0, 1:
			set[i].Add(c)
			ref[i][c] = true
		case 2:
			set[i].Remove(c)
			delete(ref[i], c)
		}
		for name, op := range map[string]struct {
			got  numa.CPUSet
			want func(a, b bool) bool
		}{
			"a":      {set[0], func(a, b bool) bool { return a }},
			"And":    {set[0].And(set[1]), func(a, b bool) bool { return a && b }},
			"Or":     {set[0].Or(set[1]), func(a, b bool) bool { return a || b }},
			"AndNot": {set[0].AndNot(set[1]), func(a, b bool) bool { return a && !b }},
		} {
			var want []int
			for c := range 200 {
				if op.want(ref[0][c], ref[1][c]) {
					want = append(want, c)
				}
			}
			if got := op.got.List(); !slices.Equal(got, want) || op.got.Len() != len(want) || op.got != numa.CPUSetOf(want...) {
				t.Fatalf("%s: got %v, want %v", name, got, want)
			}
		}
	}
}

func TestCPUSetJSON(t *testing.T) {
	in := struct{ S numa.CPUSet }{numa.CPUSetOf(0, 1, 5)}
	b, err := json.Marshal(in)
	if err != nil || string(b) != `{"S":"0-1,5"}` {
		t.Fatalf("got %s, %v", b, err)
	}
	out := in
	if err := json.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Fatalf("read back %v, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"S":"z"}`), &out); err == nil || !reflect.DeepEqual(in, out) {
		t.Fatalf("a bad list gave %v, %v", out, err)
	}
}
