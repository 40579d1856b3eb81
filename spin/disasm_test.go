// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 && !purego && !race

package spin

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// An inst is one disassembled instruction.
type inst struct {
	addr uint64
	code string // hexadecimal; on arm64 one word
	text string
}

// tool returns the path of a tool of the go command. It is built for this machine,
// whatever GOARCH says, and run without the go command in between, which takes longer
// than the tools do.
func tool(t *testing.T, name string) string {
	t.Helper()
	host := []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	return strings.TrimSpace(goCommand(t, host, "tool", "-n", name))
}

func run(t *testing.T, env, bin string, args ...string) string {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", bin, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// disassemble returns the instructions of the functions of this package in file.
func disassemble(t *testing.T, file string) map[string][]inst {
	t.Helper()
	funcs := map[string][]inst{}
	symbol := regexp.MustCompile(`^TEXT \S*spin\.(\w+)(?:\.abi0)?\(SB\)`)
	name := ""
	for line := range strings.Lines(run(t, "GOARCH="+runtime.GOARCH, tool(t, "objdump"), "-s", `(^|/)spin\.`, file)) {
		if strings.HasPrefix(line, "TEXT ") {
			name = ""
			if m := symbol.FindStringSubmatch(line); m != nil {
				name = m[1]
			}
		} else if f := strings.Fields(line); len(f) >= 4 && name != "" {
			addr, err := strconv.ParseUint(f[1], 0, 64)
			if err != nil {
				t.Fatalf("objdump printed %q", line)
			}
			funcs[name] = append(funcs[name], inst{addr, f[2], strings.Join(f[3:], " ")})
		}
	}
	return funcs
}

// assemble assembles a file of this package for goarch and disassembles the object.
func assemble(t *testing.T, file, goarch string, defines ...string) map[string][]inst {
	t.Helper()
	dir := t.TempDir()
	offsets := "#define Ticket_next 0\n#define Ticket_owner 4\n" // as TestTicketLayout says
	if err := os.WriteFile(filepath.Join(dir, "go_asm.h"), []byte(offsets), 0o666); err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(goCommand(t, nil, "env", "GOROOT"))
	obj := filepath.Join(dir, file+".o")
	args := []string{"-p", "spin", "-I", dir, "-I", filepath.Join(root, "pkg", "include"), "-o", obj}
	for _, d := range defines {
		args = append(args, "-D", d)
	}
	run(t, "GOARCH="+goarch, tool(t, "asm"), append(args, file)...)
	return disassemble(t, obj)
}

// count returns how many instructions match.
func count(f []inst, match func(inst) bool) int {
	n := 0
	for _, in := range f {
		if match(in) {
			n++
		}
	}
	return n
}

// locked finds what locks the bus or fences: a LOCK prefix, an exchange with memory,
// which needs no prefix, and the fences.
func locked(in inst) bool {
	xchg := strings.HasPrefix(in.text, "XCHG") && strings.Contains(in.text, "(")
	return strings.HasPrefix(in.text, "LOCK") || strings.HasPrefix(in.code, "f0") || xchg || strings.HasSuffix(in.text, "FENCE")
}

// Call sites, for what the inliner makes of the methods. The second of each pair has
// one call more, so that their difference is what a call site costs.

//go:noinline
func siteLock(l *Ticket) { l.Lock() }

//go:noinline
func siteLock2(l *Ticket) { l.Lock(); l.Lock() }

//go:noinline
func siteUnlock(l *Ticket) { l.Unlock() }

//go:noinline
func siteUnlock2(l *Ticket) { l.Unlock(); l.Unlock() }

//go:noinline
func siteTry(l *Ticket) bool { return l.TryLock() }

//go:noinline
func stdLock(l *sync.Mutex) { l.Lock() }

//go:noinline
func stdLock2(l *sync.Mutex) { l.Lock(); l.Lock() }

//go:noinline
func stdUnlock(l *sync.Mutex) { l.Unlock() }

//go:noinline
func stdUnlock2(l *sync.Mutex) { l.Unlock(); l.Unlock() }

// keep keeps the sites in the binary.
var keep = []any{siteLock, siteLock2, siteUnlock, siteUnlock2, siteTry, stdLock, stdLock2, stdUnlock, stdUnlock2}

// ownCode disassembles this package and its test, built once more: the binary that go
// test runs has no symbols.
func ownCode(t *testing.T) map[string][]inst {
	t.Helper()
	runtime.KeepAlive(keep)
	file := filepath.Join(t.TempDir(), "spin.test")
	goCommand(t, nil, "test", "-c", "-o", file, ".")
	return disassemble(t, file)
}

func TestOwnCode(t *testing.T) {
	funcs := ownCode(t)
	t.Run("locked instructions", func(t *testing.T) { checkLocked(t, funcs) })
	t.Run("call site bytes", func(t *testing.T) { checkSites(t, funcs) })
}

func checkLocked(t *testing.T, funcs map[string][]inst) {
	for name, want := range map[string]int{
		"siteLock": 1, "siteUnlock": 0, // the shipped pair: acquire inlined, release called
		"acquire": 1, "try": 1, "release": 0, "await": 0, "siteTry": 0,
		"stdLock": 1, "stdUnlock": 1, // the control: what the test says of sync.Mutex
	} {
		f := funcs[name]
		if len(f) == 0 {
			t.Errorf("%s is not in the binary", name)
			continue
		}
		if got := count(f, locked); got != want {
			t.Errorf("%s has %d locked instructions, want %d: %v", name, got, want, f)
		}
	}
	calls := func(in inst) bool {
		return strings.HasPrefix(in.text, "CALL") && strings.Contains(in.text, "spin.release")
	}
	if count(funcs["siteUnlock"], calls) != 1 {
		t.Errorf("Unlock is not one call of release: %v", funcs["siteUnlock"])
	}
	// No test can make 1<<32 draws, so that try looks again after its swap is read here.
	f := funcs["try"]
	swap := slices.IndexFunc(f, locked)
	again := func(in inst) bool { return in.text == "CMPL 0x4(BX), AX" }
	if swap < 0 || !slices.ContainsFunc(f[swap:], again) {
		t.Errorf("try does not look at owner after the swap: %v", f)
	}
}

// size is the length of a function without the padding behind it.
func size(f []inst) int {
	for len(f) > 0 && strings.HasPrefix(f[len(f)-1].text, "INT $0x3") {
		f = f[:len(f)-1]
	}
	if len(f) == 0 {
		return 0
	}
	last := f[len(f)-1]
	return int(last.addr-f[0].addr) + len(last.code)/2
}

func checkSites(t *testing.T, funcs map[string][]inst) {
	site := func(name string) int { return size(funcs[name+"2"]) - size(funcs[name]) }
	lock, unlock, stdL, stdU := site("siteLock"), site("siteUnlock"), site("stdLock"), site("stdUnlock")
	t.Logf("bytes of code at a call site: Ticket Lock %d Unlock %d, sync.Mutex Lock %d Unlock %d", lock, unlock, stdL, stdU)
	if lock <= 0 || unlock <= 0 || lock+unlock > stdL+stdU {
		t.Errorf("a pair takes %d bytes at its call sites, sync.Mutex %d", lock+unlock, stdL+stdU)
	}
}

// Instructions that nothing at hand executes, or that the assembler has no name for.
// Encodings: Intel SDM volume 2 (TPAUSE), AMD APM volume 3 (MONITORX, MWAITX), Arm ARM
// C6.2 (SB, WFE, WFET, ISB).
func TestPauseBytes(t *testing.T) {
	for goarch, want := range map[string][][2]string{
		"amd64": {
			{"relaxPause", "f390"},
			{"relaxTpause", "660faef1"},
			{"relaxMwaitx", "0f01fa"},
			{"relaxMwaitx", "0f01fb"},
		},
		"386": {
			{"relaxPause", "f390"},
		},
		"arm64": {
			{"relaxIsb", "d5033fdf"},
			{"relaxSb", "d50330ff"},
			{"relaxWfet", "d5031002"},
			{"relaxWfet", "d53be001"}, // MRS CNTFRQ_EL0, R1
			{"relaxWfet", "d53be042"}, // MRS CNTVCT_EL0, R2
			{"awaitWfe", "d503205f"},
		},
	} {
		funcs := assemble(t, "pause_"+goarch+".s", goarch)
		for _, w := range want {
			var all strings.Builder
			for _, in := range funcs[w[0]] {
				all.WriteString(in.code)
			}
			if strings.Count(all.String(), w[1]) != 1 {
				t.Errorf("%s %s does not hold %s once: %v", goarch, w[0], w[1], funcs[w[0]])
			}
		}
	}
}

// arm64 instructions by mask and value (Arm ARM C4.1), 32-bit forms.
var a64 = []struct {
	name        string
	mask, value uint32
}{
	{"LDADDAL", 0xffe0fc00, 0xb8e00000},
	{"CASAL", 0xffe0fc00, 0x88e0fc00},
	{"LDAXR", 0xfffffc00, 0x885ffc00},
	{"STLXR", 0xffe0fc00, 0x8800fc00},
	{"LDAR", 0xfffffc00, 0x88dffc00},
	{"STLR", 0xfffffc00, 0x889ffc00},
	{"DMB", 0xfffff0ff, 0xd50330bf},
	{"ISB", 0xfffff0ff, 0xd50330df},
}

// ordered lists the instructions of a64 in f, in order.
func ordered(t *testing.T, f []inst) string {
	t.Helper()
	var names []string
	for _, in := range f {
		w, err := strconv.ParseUint(in.code, 16, 32)
		if err != nil {
			t.Fatalf("instruction %v: %v", in, err)
		}
		for _, k := range a64 {
			if uint32(w)&k.mask == k.value {
				names = append(names, k.name)
			}
		}
	}
	return strings.Join(names, " ")
}

func TestArm64Atomics(t *testing.T) {
	for _, c := range []struct {
		name    string
		defines []string
		want    map[string]string
	}{
		{"known when compiled", []string{"GOARM64_LSE"}, map[string]string{
			"acquire": "LDADDAL LDAR",
			"try":     "LDAR CASAL LDAR",
		}},
		{"asked when run", nil, map[string]string{
			"acquire": "LDADDAL LDAR LDAXR STLXR",
			"try":     "LDAR CASAL LDAR LDAXR STLXR",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want["release"], c.want["await"] = "STLR", "ISB LDAR"
			funcs := assemble(t, "spin_arm64.s", "arm64", c.defines...)
			for name, want := range c.want {
				if got := ordered(t, funcs[name]); got != want {
					t.Errorf("%s holds %q, want %q: %v", name, got, want, funcs[name])
				}
			}
		})
	}
}

// A branch backwards is counted, or joins the end of a function: no loop is without a
// bound.
func TestBackwardBranchesCount(t *testing.T) {
	label := regexp.MustCompile(`^(\w+):`)
	jump := regexp.MustCompile(`^\t(?:J\w+|B\w*|CBN?ZW?)\s+(?:\w+,\s*)?(\w+)$`)
	counts := regexp.MustCompile(`^\t(?:DECL|SUBL|SUBSW)\s`)
	ends := map[string]bool{"no": true, "drawn": true, "taken": true}
	files, err := filepath.Glob("*.s")
	if err != nil || len(files) < 5 {
		t.Fatalf("assembly files %v, %v", files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		behind, before := map[string]bool{}, ""
		for line := range strings.Lines(string(src)) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "TEXT") {
				clear(behind)
			}
			if m := label.FindStringSubmatch(line); m != nil {
				behind[m[1]] = true
			}
			if m := jump.FindStringSubmatch(line); m != nil && behind[m[1]] && !counts.MatchString(before) && !ends[m[1]] {
				t.Errorf("%s: %q goes back without counting", file, line)
			}
			before = line
		}
	}
}
