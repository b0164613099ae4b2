import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { FileComparison } from '../../../../../src/store/engine/sqlite/file/file-comparison.ts'
import { type Folder, temporaryFolder } from '../../../../support/folder.ts'

const MEGABYTES = 100
let folder: Folder
let bytes: Buffer
let open: number
let other: string
beforeEach(() => {
  folder = temporaryFolder()
  bytes = Buffer.alloc(MEGABYTES * 1024 * 1024, 7)
  writeFileSync(folder.file('one'), bytes)
  open = openSync(folder.file('one'), 'r')
  other = folder.file('other')
})
afterEach(() => {
  closeSync(open)
  folder.remove()
})

test('a large copy is compared in parts, and recognised once all of it is compared', () => {
  const comparison = new FileComparison(open)
  writeFileSync(other, bytes)
  expect([1, 2, 3].map(() => comparison.compare(other))).toEqual(['unfinished', 'same', 'same'])
})

test('a difference in the last byte is found, and a file that changes is compared again', () => {
  const comparison = new FileComparison(open)
  bytes[bytes.length - 1] = 8
  writeFileSync(other, bytes)
  expect([1, 2].map(() => comparison.compare(other))).toEqual(['unfinished', 'different'])
  bytes[bytes.length - 1] = 7
  rmSync(other)
  writeFileSync(other, bytes)
  expect([1, 2].map(() => comparison.compare(other))).toEqual(['unfinished', 'same'])
  bytes[0] = 8
  rmSync(other)
  writeFileSync(other, bytes)
  expect(comparison.compare(other)).toBe('different')
})

test('a shorter file may become a copy; a longer one, a folder or a missing file is not a copy', () => {
  const comparison = new FileComparison(open)
  expect(comparison.compare(other)).toBe('different')
  writeFileSync(other, '')
  expect(comparison.compare(other)).toBe('unfinished')
  writeFileSync(other, bytes.subarray(0, 5_000))
  expect([1, 2].map(() => comparison.compare(other))).toEqual(['unfinished', 'unfinished'])
  truncateSync(other, bytes.length + 1)
  expect(comparison.compare(other)).toBe('different')
  mkdirSync(folder.file('sub'))
  expect(comparison.compare(folder.file('sub'))).toBe('different')
})
