// SPDX-License-Identifier: BSD-3-Clause

package asym

// A System is what the controller asks of the world. Tests replace it; a nil field
// means the real thing.
type System struct {
	// Membarrier runs one command of membarrier(2) and returns its value and errno.
	// Registration may take long and must let other goroutines have the P.
	Membarrier func(cmd int) (value, errno int)
	// StopTheWorld returns after every thread that runs Go code has passed a full fence.
	StopTheWorld func()
	Now          func() int64 // monotonic nanoseconds
	Getenv       func(key string) string
	Procs        func() int // CPUs that may run this process's goroutines
	// Go starts f, which takes milliseconds, without waiting for it.
	Go func(f func())
	// Calibrate measures barrier alone and with a second thread running.
	Calibrate func(s *System, barrier func()) (idle, busy int64)
}

// Commands of membarrier(2).
const (
	cmdQuery    = 0
	cmdBarrier  = 1 << 3 // PRIVATE_EXPEDITED
	cmdRegister = 1 << 4 // REGISTER_PRIVATE_EXPEDITED
)

// The errno values that have a name in State.
const (
	errnoPerm   = 1
	errnoInval  = 22
	errnoNoSys  = 38
	errnoAbsent = -1 // the kernel does not offer the command
)

func errnoText(errno int) string {
	switch errno {
	case errnoPerm:
		return "EPERM"
	case errnoInval:
		return "EINVAL"
	case errnoNoSys:
		return "ENOSYS"
	case errnoAbsent:
		return "not offered by this kernel"
	}
	return "errno " + itoa(int64(errno))
}

// itoa spares the package strconv, which the standard sync may not import either.
func itoa(n int64) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// orReal fills the nil fields of s.
func (s System) orReal() *System {
	r := realSystem
	if s.Membarrier != nil {
		r.Membarrier = s.Membarrier
	}
	if s.StopTheWorld != nil {
		r.StopTheWorld = s.StopTheWorld
	}
	if s.Now != nil {
		r.Now = s.Now
	}
	if s.Getenv != nil {
		r.Getenv = s.Getenv
	}
	if s.Procs != nil {
		r.Procs = s.Procs
	}
	if s.Go != nil {
		r.Go = s.Go
	}
	if s.Calibrate != nil {
		r.Calibrate = s.Calibrate
	}
	return &r
}
