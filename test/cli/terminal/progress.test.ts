/** The progress line on a terminal. The programs mostly wait, so they run at once. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { withProgress } from '../../../src/cli/terminal/progress.ts'
import { type Folder, temporaryFolder } from '../../support/folder.ts'
import { rejection } from '../../support/store-builders.ts'

const PROGRAM = join(import.meta.dir, 'progress-program.ts')
const CLEAR = '\r\x1b[K'

let folder: Folder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

/** @returns the program's whole output to a terminal of 60 columns */
async function onTerminal(...words: string[]): Promise<string> {
  const decoder = new TextDecoder()
  let written = ''
  const data = (_: unknown, chunk: Uint8Array) => {
    written += decoder.decode(chunk, { stream: true })
  }
  const child = Bun.spawn([process.execPath, PROGRAM, ...words], { terminal: { cols: 60, rows: 24, data } })
  expect(await child.exited).toBe(0)
  while (!written.includes('done')) await Bun.sleep(1)
  return written
}

test.concurrent('work that blocks its thread is shown with size, rate and time left, or with the time so far', async () => {
  const written = await onTerminal(folder.file('copy'), 'shown')
  const lines = written.split(CLEAR)
  const copying = lines.filter((line) => line.startsWith('copying'))
  const checking = lines.filter((line) => line.startsWith('checking'))
  expect(copying.length).toBeGreaterThan(1)
  for (const line of copying) expect(line).toMatch(/^copying o\.db: \d+\.\d of 80\.0 MB, \d+\.\d MB\/s, \d+ s left$/)
  const done = copying.map((line) => Number(/: (\d+\.\d)/.exec(line)?.[1]))
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(checking.length).toBeGreaterThan(0)
  for (const line of checking) expect(line).toMatch(/^checking copy: 80\.0 MB, \d+ s so far$/)
  // One line, which is removed before the next output.
  expect(lines.slice(0, -1).join('')).not.toContain('\n')
  expect(lines.at(-1)).toBe('done\r\n')
})

test.concurrent('rows are shown with their table, the rate, and the time left of those that are not done', async () => {
  const written = await onTerminal(folder.file('rows'), 'rows')
  const lines = written.split(CLEAR).filter((line) => line.startsWith('copying'))
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines)
    expect(line).toMatch(/^copying pings: \d\d,000 of 60,000, [\d,]+ rows\/s, \d+ s (?:left|so far)$/)
  const done = lines.map((line) => Number(/: (\d+),/.exec(line)?.[1]))
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  // Rows that an earlier run has copied do not count for the rate.
  const rates = lines.map((line) => Number(/60,000, ([\d,]+)/.exec(line)?.[1]?.replaceAll(',', '')))
  expect(Math.max(...rates)).toBeLessThan(100_000)
})

test.concurrent('a line is never longer than the terminal is wide', async () => {
  const written = await onTerminal(folder.file(`c${'o'.repeat(80)}py`), 'shown')
  for (const line of written.split(CLEAR)) expect(line.length).toBeLessThan(60)
})

test.concurrent('nothing is written if the line is off', async () => {
  expect(await onTerminal(folder.file('hidden'), 'hidden')).toBe('done\r\n')
})

test('the result and the error of the work are passed on', async () => {
  expect(await withProgress(null, async () => 'result')).toBe('result')
  const failing = withProgress(null, async () => {
    throw new Error('broken')
  })
  expect(await rejection(failing)).toEqual(new Error('broken'))
})
