import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOOKS, SCREENSHOTS } from '../../scripts/demo/pages.ts'

const FOLDER = join(import.meta.dir, '../../docs/screenshots')
const BYTES_TOGETHER = 5_000_000
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const files = readdirSync(FOLDER).toSorted()
const read = (file: string) => readFileSync(join(FOLDER, file))

test('each page of the list has its screenshots, and no other file is there: run `bun run screenshots`', () => {
  expect(files).toEqual(SCREENSHOTS.toSorted())
})

test('each screenshot is a PNG that is as wide as its name says', () => {
  const look = (file: string) => LOOKS.toReversed().find(({ suffix }) => file.endsWith(`${suffix}.png`))
  const wrong = files.filter((file) => {
    const bytes = read(file)
    return !bytes.subarray(0, 8).equals(PNG) || bytes.readUInt32BE(16) !== look(file)?.size.width
  })
  expect(wrong).toEqual([])
})

test('together they are small enough for a repository', () => {
  expect(files.reduce((sum, file) => sum + read(file).length, 0)).toBeLessThan(BYTES_TOGETHER)
})
