/** Columns on a narrow terminal: which are cut, and which are left out. */
import { describe, expect, test } from 'bun:test'
import { type Column, fitColumns, GAP } from '../../../src/cli/terminal/columns.ts'

const text = (width: number): Column => ({ width, whole: 0, isName: false })
const name = (width: number): Column => ({ width, whole: 0, isName: true })
const whole = (width: number): Column => ({ width, whole: width, isName: false })

/** Returns the width of each column, `-` for one that is left out. */
const fitted = (columns: readonly Column[], room: number | null, leastWanted: readonly number[] = []) =>
  fitColumns(columns, room, leastWanted).map((width) => width ?? '-')

test('without a terminal every column has its whole width', () => {
  expect(fitted([name(300), text(200), whole(40)], null, [1])).toEqual([300, 200, 40])
})

test('with enough room, too', () => {
  expect(fitted([name(30), text(20)], 30 + GAP.length + 20, [1])).toEqual([30, 20])
})

describe('with too little room', () => {
  test('first the widest texts are narrowed, and names are not', () => {
    expect(fitted([name(30), text(20), text(12)], 60)).toEqual([30, 14, 12])
  })

  test('a column is left out before a text is shorter than eight characters, and the others get its room', () => {
    expect(fitted([whole(6), name(30), text(20), text(40)], 50, [3, 2])).toEqual([6, 30, 10, '-'])
  })

  test('columns are left out in the order of the table, as few as possible', () => {
    const columns = [name(40), text(8), text(8), text(8)]
    expect(fitted(columns, 60, [2, 3, 1])).toEqual([40, 8, '-', 8])
    expect(fitted(columns, 50, [2, 3, 1])).toEqual([40, 8, '-', '-'])
    expect(fitted(columns, 40, [2, 3, 1])).toEqual([40, '-', '-', '-'])
  })

  test('a name is cut only when texts have three characters and nothing may be left out', () => {
    expect(fitted([name(40), text(20)], 45)).toEqual([40, 3])
    expect(fitted([name(40), text(20)], 30)).toEqual([25, 3])
  })

  test('times, ids and statuses are cut last', () => {
    expect(fitted([whole(8), name(40), whole(12)], 30)).toEqual([8, 6, 12])
    expect(fitted([whole(8), name(40), whole(12)], 20)).toEqual([6, 3, 7])
  })

  test('a column of texts with a time among them is as wide as the time', () => {
    expect(fitted([{ width: 60, whole: 25, isName: false }, name(20)], 40)).toEqual([25, 13])
  })
})
