// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !(gc && go1.26 && !go1.28)

package rt

const purego = false
