// SPDX-License-Identifier: BSD-3-Clause

// Benchstat-report measures what lock contention costs on this machine and reports
// it: every lock against the standard library's mutex, as ratios with confidence
// intervals and a verdict, in tables and as one page of HTML.
//
// Usage:
//
//	benchstat-report                     the same as benchstat-report run
//	benchstat-report run [flags]         measure a suite and report it
//	benchstat-report show [flags] FILE.. report recorded results
//	benchstat-report topo [flags]        draw CPUs, caches and memory nodes
//	benchstat-report help [COMMAND]
//	benchstat-report -version            print version, commit and Go release
//
// Flags may stand before or after files; -h after a command lists them.
//
// # Measuring
//
// Without arguments the quick suite of package lockbench is measured, in less than
// a minute on two CPUs. First comes what machine this is, and of that first the
// calibration of two spinners: two threads that only compute get twice the work of
// one done where they have a core each, and about the same where they share one.
// Below 1.5 there is a warning, since rows with two goroutines and more then say
// little about separate cores. The next line is how much of a CPU was lost to other
// programs and the host while it was calibrated: above 10 % the machine is busy,
// which is warned of instead, for then the spinners tell nothing about cores. Then
// come CPUs, caches, virtualisation, the pause instruction, and whether locks park
// through the runtime's hooks or, on a Go release that this module does not know,
// through portable code.
//
// Locks are measured in turns: a sample of each under one load, then the next load;
// then all loads again. Progress and the time left go to standard error, as one line
// that is rewritten on a terminal and as a line now and then elsewhere.
//
// Two files are written: the results, report.txt or the file of -o, and the page,
// report.html or the file of -html (an empty name writes none). An older report.txt
// is kept as report.prev.txt; a file named by -o is overwritten, but not before the
// first result is there. Whether both files can be written, and are two, is found out
// before anything is measured, and so is whether -base and -filter fit what will be. A
// run that would take more than a year is refused. The last lines on the terminal are
// the conclusion and the names of the files written.
//
// Results are in the Go benchmark format: keys that describe the machine, Unit lines
// that say which way is better, then a line for each sample, written as soon as it
// is measured. Plain benchstat reads them:
//
//	benchstat -col /lock report.txt
//
// The keys date, suite, cell and samples say when the run began and what would
// repeat it; version and commit of what, where the toolchain put them into the
// program. Plain benchstat makes tables apart for two files that differ in them,
// unless told not to:
//
//	benchstat -ignore date,lost,pause-ns,spin2-ratio,delay-ns,clock-ns,hold50-ns,harness-ns -col /lock a.txt b.txt
//
// Ctrl-C (or SIGTERM) ends the run at once. What was measured is in the results file
// already; it is shown and made into the page as well. A second Ctrl-C ends that too.
//
// # Tables
//
// Results are grouped by all file keys, so files of different machines get tables of
// their own. Keys named by -ignore do not split, nor do those that every run measures
// anew or that say when and how it was made: pause-ns, spin2-ratio, lost, delay-ns,
// clock-ns, hold50-ns, harness-ns, date, suite, cell, samples, version, commit, pkg.
// So a file of lockbench.Bench in one's own package joins one of this command;
// results of several versions in one group are warned of. In a group there is a table
// for each unit, in benchstat's tidied units, in a table a row for each load, in a row
// each lock. Text and Markdown have the tables of throughput, of the 99.9th
// percentile and of the longest wait, and the others with -all. A cell is the median
// with the larger distance to a bound of its confidence interval; "± >10x" stands
// where that bound is more than ten times, or less than a tenth of, the median.
//
// A ratio is lock over base, where base is std or the lock of -base. Samples taken in
// turns are used as pairs: sample k of the lock over sample k of std, measured within
// moments of it. The ratio is the median of these quotients, its interval is given by
// two of their order statistics. Where a file measured one lock after the other, the
// ratio is the median of all quotients and its interval that of the Mann-Whitney
// test. Both hold whatever the distribution. n is the number of pairs, or of samples
// of either side.
//
// The verdict is better or worse where the interval excludes 1, and unknown
// elsewhere: no difference, or not enough samples to see one. With less than six
// pairs a 95% interval does not exist: take -count 6 or more with go test. A verdict is for its row alone; of a hundred
// rows without any difference about five will get one.
//
// The geometric mean covers the rows that have a ratio other than zero and infinity,
// and says how many these are. A measured zero stays in its table. Where the interval
// of one of its rows spans more than a factor of 100, or has no end, the mean is
// "n/a", since that row alone could move it anywhere; JSON has the number, and how
// many rows are so wide.
//
// # The page
//
// The page is one file without scripts that loads nothing. It follows the reader's
// choice of light or dark and prints on white. For each kind of work it shows
// throughput against goroutines with confidence bands, and for each lock a ladder of
// waits from the median to the longest, each beside its table.
//
// # Formats
//
// -format text and markdown are for people; csv and json are for programs, with
// every digit and in tidied units (seconds, not nanoseconds). In CSV a row is one
// lock under one load in one unit, with the base, the ratio and the verdict behind
// it; a name that begins with = + - or @ has a ' before it, or a spreadsheet would take
// it for a formula. A bound that does not exist is infinite in CSV and null in JSON.
// -format html is the page.
//
// With -o the tables of show go to a file, which must not be one of its inputs, or to
// standard output for "-".
//
// # Exit status
//
//	0    success
//	1    error: a file could not be written, a lock failed
//	2    unusable arguments or input
//	130  interrupted; what was measured until then was written and shown
//
// Errors are one line on standard error that names the file and line, or the flag,
// and says what would be right. A line of input that cannot be used, such as the last
// one of a file that was cut off, does not keep the others from being shown; the exit
// status is 2 then. Such lines are also those of 64 KiB and more, with a byte 0, or
// with a unit twice. "go run" turns every failure into 1: install the command where
// the status matters.
package main
