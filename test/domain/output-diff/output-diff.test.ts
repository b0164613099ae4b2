/** Lines of an output that another one lacks: of real jobs, of hostile ones, and of random ones. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { lineChanges } from '../../../src/domain/output-diff/line-changes.ts'
import { diffOutputs } from '../../../src/domain/output-diff/output-diff.ts'
import { outputLines } from '../../../src/domain/output-diff/output-lines.ts'
import type { DiffLine } from '../../../src/domain/output-diff/shown-changes.ts'

const diff = (good: string, failed: string) => diffOutputs(outputLines(good), outputLines(failed))

const SIGNS = { same: ' ', gone: '-', new: '+' } as const

const drawn = (lines: readonly DiffLine[] = []) =>
  lines.map((line) => (line.kind === 'folded' ? `${SIGNS[line.of]}${line.lines} lines` : SIGNS[line.kind] + line.text))

const numbered = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word} ${n}`)

describe('of jobs', () => {
  const folder = join(import.meta.dir, 'jobs')
  const sectionsOf = (file: string) => {
    const [, good = '', failed = '', fresh = ''] = readFileSync(join(folder, file), 'utf8').split(/^=== \w+\n/m)
    return { good, failed, fresh: fresh.trimEnd().split('\n') }
  }

  test.each(readdirSync(folder))('%s, the new lines are those that say why it failed', (file) => {
    const { good, failed, fresh } = sectionsOf(file)
    const found = diff(good, failed)
    expect(found?.newLines).toEqual(fresh)
    expect(found?.isAllNew).toBe(false)
  })

  test.each(readdirSync(folder))('%s, the output of a later good run is no change but in counts', (file) => {
    const { good } = sectionsOf(file)
    const later = good
      .replaceAll('2026-11-13', '2026-11-14')
      .replaceAll('Nov 13', 'Nov 14')
      .replaceAll(/\b0[37]:(\d\d)/g, '04:$1')
    expect(diff(good, later)).toBeNull()
  })
})

describe('the lines that are shown', () => {
  test('are those that are new or gone, with two lines around them', () => {
    const found = diff('a\nb\nc\nd\ne\nf\ng\nh\ni', 'a\nb\nc\nd\nE\nF\ng\nh\ni\nj')
    expect(drawn(found?.lines)).toEqual([' 2 lines', ' c', ' d', '-e', '-f', '+E', '+F', ' g', ' h', ' i', '+j'])
    expect(found?.more).toBe(0)
  })

  test('of lines that differ only in what always differs are those of the failed run', () => {
    const found = diff('12:00 begin\nx', '13:00 begin\ny')
    expect(drawn(found?.lines)).toEqual([' 13:00 begin', '-x', '+y'])
  })

  test('fold long runs, new ones less than those that are gone', () => {
    const gone = drawn(diff(['a', ...numbered(300, 'file')].join('\n'), 'a\ndisk full')?.lines)
    expect(gone).toEqual([' a', '-file 0', '-file 1', '-file 2', '-file 3', '-296 lines', '+disk full'])
    const fresh = drawn(diff('a', ['a', ...numbered(300, 'warning')].join('\n'))?.lines)
    expect([fresh.length, fresh[14], fresh[15], fresh.at(-1)]).toEqual([
      26,
      '+warning 13',
      '+276 lines',
      '+warning 299',
    ])
  })

  test('are forty at most; the rest is counted', () => {
    const lines = numbered(200, 'line')
    const found = diff(lines.join('\n'), lines.map((line, n) => (n % 2 ? `${line}!` : line)).join('\n'))
    expect(found?.lines).toHaveLength(40)
    const shown = found?.lines.filter(({ kind }) => kind === 'gone' || kind === 'new') ?? []
    expect(shown.length + (found?.more ?? 0)).toBe(200)
  })

  test('are of a progress bar its last state, and of colours the text', () => {
    expect(drawn(diff('10 %\r55 %\rall read\r\nok', 'all read\nbroken')?.lines)).toEqual([
      ' all read',
      '-ok',
      '+broken',
    ])
  })
})

describe('new lines', () => {
  const newLines = (good: string, failed: string) => diff(good, failed)?.newLines

  test('come once each, four at most, without blank and drawn ones', () => {
    expect(newLines('a', 'a\n\n-----\nb\nb\nc\nd\ne\nf')).toEqual(['b', 'c', 'd', 'e'])
  })

  test('in which only counts differ come only if there are no others', () => {
    expect(newLines('3 files\nok', '4 files\nbroken')).toEqual(['broken'])
    expect(newLines('3 files\nok', '4 files\nok')).toEqual(['4 files'])
  })

  test('are known to be all there is', () => {
    expect(diff('a\n\nb', 'c\n\nd')?.isAllNew).toBe(true)
    expect(diff('a\nb', 'a\nd')?.isAllNew).toBe(false)
  })
})

describe('of any outputs', () => {
  const line = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '12:00 x', '13:00 x', '', '\t', '---'),
    fc.string({ maxLength: 8 }),
  )
  const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'))

  test('without what is new it is the good one, without what is gone the failed one', () => {
    fc.assert(
      fc.property(text, text, (good, failed) => {
        const [before, after] = [outputLines(good), outputLines(failed)]
        const changes = lineChanges(before, after)
        expect(changes.filter(({ mark }) => mark !== 'new').map(({ line: { masked } }) => masked)).toEqual(
          before.map(({ masked }) => masked),
        )
        expect(changes.filter(({ mark }) => mark !== 'gone').map(({ line }) => line)).toEqual([...after])
      }),
    )
  })

  test('no shorter list of changes would do', () => {
    const few = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 })
    fc.assert(
      fc.property(few, few, (good, failed) => {
        const changes = lineChanges(outputLines(good.join('\n')), outputLines(failed.join('\n')))
        const same = changes.filter(({ mark }) => mark === 'same').length
        expect(same).toBe(longestCommon(lines(good), lines(failed)))
      }),
    )
  })

  /** Returns the lines. An empty text has one empty line. */
  const lines = (words: readonly string[]) => (words.length === 0 ? [''] : words)

  const longestCommon = ([a, ...as]: readonly string[], [b, ...bs]: readonly string[]): number => {
    if (a === undefined || b === undefined) return 0
    if (a === b) return 1 + longestCommon(as, bs)
    return Math.max(longestCommon(as, [b, ...bs]), longestCommon([a, ...as], bs))
  }

  test('what is shown is bounded', () => {
    fc.assert(
      fc.property(text, text, (good, failed) => {
        const found = diff(good, failed)
        if (found === null) return
        expect(found.lines.length).toBeLessThanOrEqual(40)
        expect(found.newLines.length).toBeLessThanOrEqual(4)
        expect(found.more).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

const KIB_64 = 65_536

test.each<[string, string, string]>([
  ['ten thousand equal lines', 'x\n'.repeat(10_000), `${'x\n'.repeat(10_001)}broken`],
  ['lines of which none is like another', numbered(7_000, 'a').join('\n'), numbered(7_000, 'b').join('\n')],
  ['two lines in turn', 'a\nb\n'.repeat(8_000), 'b\na\na\n'.repeat(8_000)],
  ['one line', 'x'.repeat(1_000_000), 'y'.repeat(1_000_000)],
  ['empty lines', '\n'.repeat(KIB_64), `x${'\n'.repeat(KIB_64)}y`],
  ['a progress bar', '50 %\r'.repeat(10_000), '51 %\r'.repeat(10_000)],
  ['binary', '\u0001\u0002\ufffd'.repeat(10_000), '\ufffd\u0003\n'.repeat(10_000)],
  ['numbers', '1.2,3:4 '.repeat(8_000), '1,2.3:4\n'.repeat(8_000)],
])('%s take a bounded time', (_, good, failed) => {
  const began = performance.now()
  const found = diff(good, failed)
  expect(performance.now() - began).toBeLessThan(1_000)
  const characters = found?.lines.reduce((sum, line) => sum + (line.kind === 'folded' ? 0 : line.text.length), 0)
  expect(characters ?? 0).toBeLessThanOrEqual(40 * 500)
})

test('of outputs that differ in more lines than are compared, the last ones are', () => {
  const good = [...numbered(3_000, 'read'), 'shared', 'done'].join('\n')
  const failed = [...numbered(2_000, 'wrote'), 'shared', 'broken'].join('\n')
  const found = diff(good, failed)
  expect(drawn(found?.lines).slice(-4)).toEqual([expect.stringContaining('+'), ' shared', '-done', '+broken'])
})
