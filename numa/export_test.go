// SPDX-License-Identifier: BSD-3-Clause

package numa

// Way, Ways and Choose show the tests how Current decides.
type Way = way

const (
	WayRDPID  = wayRDPID
	WayGetcpu = wayGetcpu
	WayNone   = wayNone
)

var (
	Ways    = candidates
	ReadAux = readAux
	Choose  = choose
	Getcpu  = getcpu
)

// UseWay makes Current use w until the returned function is called. No other
// goroutine may be in Current.
func UseWay(w Way) (undo func()) {
	decide()
	old := chosen.Load()
	if w == wayGetcpu && pCaches == nil {
		prepareCache()
	}
	chosen.Store(uint32(w))
	return func() { chosen.Store(old) }
}

// ParseMask, ParseDistances and ParseQuota are for the fuzz targets.
var (
	ParseMask      = parseMask
	ParseDistances = parseDistances
	ParseQuota     = parseQuota
)
