// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package sync

const buildTags = ""
