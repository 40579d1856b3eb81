// SPDX-License-Identifier: BSD-3-Clause

package numa

// ThreadAffinity shows the tests the mask of one thread.
var ThreadAffinity = threadAffinity
