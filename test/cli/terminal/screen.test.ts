/** Output on a real terminal of a given width, and in a pipe. */
import { describe, expect, test } from 'bun:test'
import { type Shown, shortIds, show } from '../../../src/cli/terminal/screen.ts'
import { runOnTerminal } from '../../support/command-line.ts'
import { after, NOON } from '../../support/store-builders.ts'

const ID = '0b1c2d3e-0000-4000-8000-000000000000'
const pipe = (shown: Shown) => show(shown, { columns: null, hasColor: false, now: NOON })
const terminal = (shown: Shown, columns = 80, hasColor = false) => show(shown, { columns, hasColor, now: NOON })

describe('a table in a pipe', () => {
  test('has whole cells, times in ISO 8601, and a hyphen for no value', () => {
    const rows = [
      ['NAME', 'SINCE', 'STATUS'],
      ['x'.repeat(300), NOON, { status: 'down' }],
      ['a', null, { status: 'up', text: 'up, running' }],
    ] as const
    expect(pipe([{ rows }, 'more']).split('\n')).toEqual([
      `${'NAME'.padEnd(300)}  SINCE                      STATUS`,
      `${'x'.repeat(300)}  2026-03-04T12:00:00+00:00  down`,
      `${'a'.padEnd(300)}  -                          up, running`,
      'more',
    ])
  })

  test('counts the width of characters, not code units', () => {
    expect(
      pipe([
        {
          rows: [
            ['備份', 'x'],
            ['🦆', 'x'],
            ['e\u0301', 'x'],
            ['abcd', 'x'],
          ],
        },
      ]),
    ).toBe('備份  x\n🦆    x\ne\u0301     x\nabcd  x')
  })
})

describe('a table on a terminal', () => {
  test('has times relative to now', () => {
    const rows = [[after(-200), after(0), after(7_300), after(-900_000)]]
    expect(terminal([{ rows }])).toBe('3 minutes ago  now  in 2 hours  1 week ago')
  })

  test.each([40, 60, 80, 200])('is no wider than %d columns, and cuts the longest texts', (columns) => {
    const rows = [
      ['STATUS', 'NAME', 'NOTE', 'ID'],
      [{ status: 'down' }, '備份'.repeat(30), 'word '.repeat(30), ID.slice(0, 8)],
      [{ status: 'up' }, 'short', '-', ID.slice(0, 8)],
    ] as const
    const lines = terminal([{ rows }], columns).split('\n')
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns)
    expect(lines[1]).toStartWith('down    備份')
    expect(lines[1]).toContain('…')
    expect(lines[1]).toEndWith(ID.slice(0, 8))
    expect(lines[2]).toMatch(/^up +short +- +0b1c2d3e$/)
  })

  test('cuts texts before ids and times', () => {
    const rows = [[ID, 'a text that is quite long', after(-200)]]
    expect(terminal([{ rows }], 70)).toBe(`${ID}  a text that is q…  3 minutes ago`)
    expect(Bun.stringWidth(terminal([{ rows }], 30))).toBeLessThanOrEqual(30)
  })

  test('colours statuses only if colours are wanted, and no text of strangers', () => {
    const rows = [
      [{ status: 'down' }, '\u001b[32mup'],
      [{ status: 'new' }, 'x'],
    ] as const
    expect(terminal([{ rows }], 80, true)).toBe('\u001b[31mdown\u001b[0m  [32mup\nnew   x')
    expect(terminal([{ rows }], 80)).toBe('down  [32mup\nnew   x')
  })
})

test('short ids have eight characters, or as many as make them distinct', () => {
  expect(shortIds([ID, `${ID.slice(0, -1)}1`.replace('0b', '1c')])).toEqual([{ id: '0b1c2d3e' }, { id: '1c1c2d3e' }])
  expect(shortIds([ID, ID.replace('-0000-4', '-0001-4')])).toEqual([{ id: '0b1c2d3e-0000' }, { id: '0b1c2d3e-0001' }])
  expect(shortIds([ID, ID])).toEqual([{ id: '0b1c2d3e' }, { id: '0b1c2d3e' }])
})

test('a process uses the width of its terminal', async () => {
  const settings = { SITE_NAME: 'A name of a site that is longer than a narrow terminal is wide' }
  const { code, out } = await runOnTerminal(['check-config'], settings, 50)
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(20)
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(50)
  expect(out).toContain('…')
})
