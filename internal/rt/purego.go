// SPDX-License-Identifier: BSD-3-Clause

//go:build purego

package rt

const purego = true
