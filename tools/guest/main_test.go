// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRelayKeepsOnlyTheTest(t *testing.T) {
	for _, c := range []struct{ name, console, want string }{
		{"whole", "booting\r\nGUEST-BEGIN\r\nok\r\nGUEST-EXIT 0\r\n[1.2] down\r\n", "ok\n"},
		{"line without end", "GUEST-BEGIN\r\npanicGUEST-EXIT 7\r\n", "panic\n"},
		{"exit before begin", "GUEST-EXIT 0\r\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			r := &relay{to: &out, exit: -1}
			for _, b := range []byte(c.console) { // a serial line brings bytes one by one
				r.Write([]byte{b})
			}
			r.flush()
			if out.String() != c.want {
				t.Errorf("relayed %q, want %q", out.String(), c.want)
			}
			if want := map[string]int{"whole": 0, "line without end": 7, "exit before begin": -1}[c.name]; r.exit != want {
				t.Errorf("exit %d, want %d", r.exit, want)
			}
		})
	}
}

func TestArchiveIsAligned(t *testing.T) {
	var a archive
	a.dir("pkg")
	a.file("pkg/odd", []byte("12345"))
	path := filepath.Join(t.TempDir(), "initrd")
	if err := a.writeTo(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Every header starts at a multiple of four, or the kernel refuses the archive.
	headers := 0
	for at := 0; ; headers++ {
		i := bytes.Index(data[at:], []byte("070701"))
		if i < 0 {
			break
		}
		if (at+i)%4 != 0 {
			t.Errorf("a header at offset %d", at+i)
		}
		at += i + 6
	}
	if headers != 3 {
		t.Errorf("%d headers, want 3", headers)
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test binary:", err)
	}
	notELF := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(notELF, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ machine, kernel, binary, want string }{
		{"nosuch", exe, exe, `no machine "nosuch"`},
		{"plain", "", exe, "TURNSTILE_GUEST_KERNEL"},
		{"plain", "no/such/kernel", exe, "no/such/kernel"},
		{"plain", notELF, notELF, "not a Linux program"},
	} {
		if _, err := run(c.machine, c.kernel, 0, c.binary, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("run(%q, %q): error %v, want one that names %s", c.machine, c.kernel, err, c.want)
		}
	}
}
